#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/report/finding.h"
#include "repair/report/log_line.h"
#include "repair/report/pytest.h"
#include "repair/report/traceback.h"

namespace suture::report {

/// Everything that one pass over the text finds.
struct Findings {
  std::vector<Finding> failures;
  std::vector<PytestVerdict> verdicts;
  std::vector<std::string> unittest_ids;
  bool is_distributed = false;  ///< several ranks wrote the text
  bool has_test_runner = false;
};

/// Reads a part of a text (all of it, or one fenced block of an issue): sorts its lines into
/// streams, gives each line to the readers in turn and adds what they find to `findings`.
void scan_part(const std::vector<LogLine>& lines, MessageEnd message_end, Findings& findings);

/// The last line that is an exception's without a traceback ("ValueError: x"), anywhere at the left
/// margin: the title of an issue, or quoted in prose.
std::optional<Finding> bare_exception_anywhere(Lines lines);

}  // namespace suture::report
