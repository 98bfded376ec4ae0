#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/report/check.h"
#include "repair/report/failure.h"

namespace suture {

/// The largest report that is read; what is longer is an error that names this bound.
inline constexpr std::size_t kMaxReportBytes = 16 << 20;

/// A script found in a report that may reproduce the failure (a fenced block of an issue).
struct ReproScript {
  std::string language;  ///< "python" or "sh"
  std::string text;
};

/// What a text tells: failures (most telling first), checks it names, scripts it carries.
struct Report {
  std::string text;
  std::vector<Failure> failures;
  std::vector<Check> checks;         ///< e.g. `pytest path::test` for the failing node ids
  std::vector<ReproScript> scripts;  ///< become checks only when the user agrees
};

/// Reads a report: Python tracebacks (chained, exception groups, syntax errors), pytest output in
/// its styles (long, short, line, native, -x summary), unittest output, torchrun logs with
/// interleaved
/// `[rankN]:` prefixes, with plain text or issue Markdown around them. A text with nothing to be
/// found gives a Report without failures, no error. ANSI colours and "\r\n" are ignored.
/// Errors: kBadInput for an empty or binary text, or one larger than kMaxReportBytes.
Result<Report> read_report(std::string_view text);

/// The failure that the output of a check's own run shows; kUnknown when nothing is recognised.
Failure failure_of_output(std::string_view output);

}  // namespace suture
