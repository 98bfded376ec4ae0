#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/report/finding.h"
#include "repair/report/log_line.h"

namespace suture::report {

/// The name in a section header of pytest ("______ TestA.test_b[1] ______"), with "ERROR at setup
/// of " and "ERROR collecting " taken off. Nothing for any other line.
std::optional<std::string> pytest_section(std::string_view text);

/// Reads one failure as pytest prints it in its styles long, short and line: from a section header,
/// or without one from the first `path:line: in f`, `> ` or `E ` line. (Native tracebacks are read
/// by read_traceback.) Nothing when no failure starts at `at`.
std::optional<Found> read_pytest_failure(Lines lines, std::size_t at);

/// Reads one failure of pytest's style "line", "x.py:3: TypeError: message". Ordinary logs have
/// such lines too: to be called below the rule "===== FAILURES =====" only.
std::optional<Found> read_pytest_line(Lines lines, std::size_t at);

/// One line that names a failing test: "FAILED path::test - TypeError: x", "ERROR path", or
/// "path::test FAILED [ 50%]" of a verbose run.
struct PytestVerdict {
  std::string node_id;
  std::string message;   ///< "TypeError: x", cut at the terminal's width; may be empty
  std::size_t line = 0;  ///< 0-based, in the whole text
};
std::optional<PytestVerdict> parse_pytest_verdict(const LogLine& line);

/// What a section header calls the test of a node id: "x.py::TestA::test_b[1]" ->
/// "TestA.test_b[1]". A node id that is a file alone is called by its path.
std::string section_name_of(std::string_view node_id);

}  // namespace suture::report
