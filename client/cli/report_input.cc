#include "client/cli/report_input.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "repair/base/file.h"

namespace suture {
namespace {

/// Waits in short steps: a signal can come right before a read that then never ends.
bool wait_for_input(const CancelToken& cancel) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!cancel.cancelled()) {
    if (poll(&input, 1, 100) > 0) return true;
  }
  return false;
}

Result<std::string> read_standard_input(const CancelToken& cancel) {
  std::string text;
  char buffer[1 << 16];
  while (wait_for_input(cancel)) {
    ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return fail(ErrorKind::kBadInput, fmt::format("cannot read it: {}", std::strerror(errno)));
    }
    text.append(buffer, std::size_t(got));
    if (text.size() > kMaxReportBytes) {
      return fail(ErrorKind::kBadInput, fmt::format("larger than {} MB", kMaxReportBytes >> 20),
                  "cut it down to the part around the failure");
    }
  }
  return fail(ErrorKind::kCancelled, "interrupted");
}

/// Says where the trouble is, unless the message does already.
tl::unexpected<Error> in_input(Error error, const std::string& name) {
  if (!error.where && error.message.find(name) == std::string::npos) error.where = SourcePos{name};
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<Report> read_report_input(const std::string& name, const CancelToken& cancel) {
  bool standard_input = name == "-";
  std::string shown = standard_input ? "standard input" : name;
  auto text = standard_input ? read_standard_input(cancel) : read_file(name, kMaxReportBytes);
  if (!text) return in_input(std::move(text).error(), shown);
  auto report = read_report(*text);
  if (!report) return in_input(std::move(report).error(), shown);
  return report;
}

}  // namespace suture
