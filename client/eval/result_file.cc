#include "client/eval/result_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::size_t kMaxResultBytes = std::size_t(1) << 30;

tl::unexpected<Error> failed(std::string_view what, const std::filesystem::path& path) {
  return fail(ErrorKind::kInfra,
              fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
}

/// Whether a line that cannot be read may be the remains of one of ours. Anything else is not cut
/// off:
/// --out may name the wrong file.
bool looks_torn(std::string_view line) {
  constexpr std::string_view kBeginning = "{\"instance_id\":";
  std::size_t common = std::min(line.size(), kBeginning.size());
  return line.substr(0, common) == kBeginning.substr(0, common) ||
         line.find('\0') != std::string_view::npos;  // a power cut can leave zeros
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(std::size_t(written));
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<ResultFile>> ResultFile::open(const std::filesystem::path& path, int flags) {
  int fd = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | flags, 0644);
  if (fd < 0 && errno == EEXIST) {
    return fail(ErrorKind::kUsage, fmt::format("{} exists already", path.string()),
                "go on with it by --resume, or name another file");
  }
  if (fd < 0) return failed("open", path);
  std::unique_ptr<ResultFile> file(new ResultFile(path, fd));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorKind::kUsage, fmt::format("another evaluation writes {}", path.string()));
  }
  return file;
}

Result<std::unique_ptr<ResultFile>> ResultFile::create(const std::filesystem::path& path) {
  return open(path, O_EXCL);
}

Result<std::unique_ptr<ResultFile>> ResultFile::resume(const std::filesystem::path& path) {
  TRY(std::unique_ptr<ResultFile> file, open(path, 0));
  TRY_STATUS(file->load());
  return file;
}

ResultFile::~ResultFile() { close(fd_); }

Status ResultFile::load() {
  TRY(std::string text, read_file(path_, kMaxResultBytes));
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    std::size_t newline = rest.find('\n');
    bool last = newline == std::string_view::npos || newline + 1 == rest.size();
    bool whole = newline != std::string_view::npos;
    std::string_view line = trim(rest.substr(0, newline));
    if (!line.empty()) {
      Result<ResultLine> read = read_result_line(line);
      if (last && (!whole || !read) && looks_torn(line)) break;  // its instance runs again
      if (!read) {
        return fail(ErrorKind::kBadInput, read.error().message, "this is no file of result lines",
                    SourcePos{path_.string(), number, 0});
      }
      earlier_.push_back(std::move(*read));
    }
    rest.remove_prefix(whole ? newline + 1 : rest.size());
  }
  size_ = std::int64_t(text.size() - rest.size());
  if (!rest.empty() && ftruncate(fd_, size_) != 0)
    return failed("cut the torn last line of", path_);
  return {};
}

Status ResultFile::append(const ResultLine& line) {
  std::string text = write_result_line(line) + "\n";
  std::lock_guard lock(mutex_);
  if (!write_all(fd_, text) || fsync(fd_) != 0) {
    auto error = failed("write", path_);
    [[maybe_unused]] int ignored = ftruncate(fd_, size_);  // what is left is for --resume to cut
    return error;
  }
  size_ += std::int64_t(text.size());
  return {};
}

}  // namespace suture
