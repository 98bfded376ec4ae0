#include "client/cli/report_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "repair/base/file.h"

namespace suture {
namespace {

Result<std::string> read_standard_input(const CancelToken& cancel) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (cancel.cancelled()) return fail(ErrorKind::kCancelled, "interrupted");
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(ErrorKind::kBadInput, fmt::format("cannot read it: {}", std::strerror(errno)));
    text.append(buffer, std::size_t(got));
    if (text.size() > kMaxReportBytes) {
      return fail(ErrorKind::kBadInput, fmt::format("larger than {} MB", kMaxReportBytes >> 20),
                  "cut it down to the part around the failure");
    }
  }
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
