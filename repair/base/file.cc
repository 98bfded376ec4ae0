#include "repair/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "suture_config.h"

namespace suture {
namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path, std::size_t limit) {
  std::error_code ec;
  fs::file_status status = fs::status(path, ec);
  if (status.type() == fs::file_type::not_found) {
    return fail(ErrorKind::kNotFound, fmt::format("no such file: {}", path.string()));
  }
  if (ec) return fail(ErrorKind::kInfra, fmt::format("{}: {}", path.string(), ec.message()));
  if (status.type() == fs::file_type::directory) {
    return fail(ErrorKind::kBadInput, fmt::format("{} is a folder, not a file", path.string()));
  }
  std::ifstream in(path, std::ios::binary);
  std::string content;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    content.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (content.size() > limit) {
      return fail(ErrorKind::kBadInput,
                  fmt::format("{} is larger than {} MB", path.string(), limit >> 20));
    }
  }
  if (!in.eof()) {
    return fail(ErrorKind::kInfra,
                fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  }
  return content;
}

Status write_file_atomically(const fs::path& path, std::string_view content) {
  auto failed = [&](std::string_view what) {
    return fail(ErrorKind::kInfra,
                fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)),
                "the file is unchanged");
  };
  // A symbolic link stays a link: the file it points at is replaced.
  std::error_code ec;
  fs::path target = path;
  if (fs::is_symlink(fs::symlink_status(path, ec))) target = fs::canonical(path, ec);
  if (ec && ec != std::errc::no_such_file_or_directory) {
    return fail(ErrorKind::kInfra, fmt::format("{}: {}", path.string(), ec.message()));
  }
  std::string temporary = target.string() + ".suture-XXXXXX";
  int fd = mkstemp(temporary.data());
  if (fd < 0) return failed("create a temporary file beside");
  struct stat old {};
  bool existed = stat(target.c_str(), &old) == 0;
  mode_t mode = existed ? old.st_mode & 07777 : 0644;
  bool ok = fchmod(fd, mode) == 0;
  if (ok && existed && geteuid() == 0) ok = fchown(fd, old.st_uid, old.st_gid) == 0;
  std::string_view rest = content;
  while (ok && !rest.empty()) {
    ssize_t written = write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      ok = false;
    else
      rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ok = ok && fsync(fd) == 0;
  int saved = errno;
  ok = close(fd) == 0 && ok;
  ok = ok && rename(temporary.c_str(), target.c_str()) == 0;
  if (!ok) {
    if (saved != 0) errno = saved;
    auto error = failed("write");
    unlink(temporary.c_str());
    return error;
  }
  return {};
}

namespace {

std::string in_temporary_folder(std::string_view name) {
  const char* base = std::getenv("TMPDIR");
  return fmt::format("{}/{}", base != nullptr && *base != '\0' ? base : "/tmp", name);
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make(std::string_view prefix) {
  std::string path = in_temporary_folder(fmt::format("{}XXXXXX", prefix));
  if (mkdtemp(path.data()) == nullptr) {
    return fail(ErrorKind::kInfra,
                fmt::format("cannot make a temporary folder {}: {}", path, std::strerror(errno)),
                "set TMPDIR to a writable folder");
  }
  return TemporaryFolder(path);
}

Result<TemporaryFolder> TemporaryFolder::make(std::string_view prefix, std::string_view name) {
  std::string path = in_temporary_folder(fmt::format("{}{}", prefix, name));
  if (mkdir(path.c_str(), 0700) == 0) return TemporaryFolder(path);
  return make(prefix);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path share_folder(std::string_view name) {
  if (const char* given = std::getenv("SUTURE_SHARE"); given != nullptr && *given != '\0') {
    return fs::path(given) / name;
  }
  std::error_code ec;
  fs::path binary = fs::read_symlink("/proc/self/exe", ec);
  fs::path installed = binary.parent_path().parent_path() / "share" / "suture" / name;
  if (!ec && fs::exists(installed, ec)) return installed;
  fs::path source = SUTURE_SOURCE_DIR;
  if (name == "probe") return source / "repair" / "reproduce" / "probe";
  if (name == "warm") return source / "repair" / "validate" / "warm";
  return source / name;
}

}  // namespace suture
