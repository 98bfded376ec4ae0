#include "repair/process/shared_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

namespace suture {
namespace {

tl::unexpected<Error> failed(std::string_view what) {
  return fail(ErrorKind::kInfra, fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

/// Kernels before 6.3 refuse MFD_EXEC, and need no flag for a file that can be executed.
int open_memory_file(const std::string& label) {
  int descriptor = memfd_create(label.c_str(), MFD_CLOEXEC | MFD_EXEC);
  if (descriptor < 0 && errno == EINVAL) descriptor = memfd_create(label.c_str(), MFD_CLOEXEC);
  return descriptor;
}

/// 0, 1 and 2 would be overwritten in the child, should the host program have closed its own.
int above_standard_streams(int descriptor) {
  if (descriptor < 0 || descriptor > 2) return descriptor;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  close(descriptor);
  return moved;
}

}  // namespace

Result<SharedFile> SharedFile::make(std::string_view label, std::string_view content) {
  int descriptor = above_standard_streams(open_memory_file(std::string(label)));
  if (descriptor < 0) return failed("make a file in memory");
  SharedFile file(descriptor);
  std::string_view rest = content;
  while (!rest.empty()) {
    ssize_t written = write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write a file in memory");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (lseek(descriptor, 0, SEEK_SET) != 0) return failed("rewind a file in memory");
  return file;
}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string SharedFile::path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

Result<std::string> SharedFile::content() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return failed("look at a file in memory");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    ssize_t got =
        pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("read a file in memory");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

}  // namespace suture
