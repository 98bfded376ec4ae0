#include "client/cli/standard_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace suture {

Status write_to_standard_output(std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return {};
    if (written < 0) {
      return fail(ErrorKind::kInfra,
                  fmt::format("cannot write the result: {}", std::strerror(errno)));
    }
    text.remove_prefix(std::size_t(written));
  }
  return {};
}

}  // namespace suture
