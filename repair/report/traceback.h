#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "repair/report/finding.h"
#include "repair/report/log_line.h"

namespace suture::report {

/// `  File "x.py", line 3, in f` (a traceback), `... line 3` (a syntax error) or `... line 3 in f`
/// (a stack of faulthandler), without its gutter. Nothing for any other line.
std::optional<Frame> parse_frame_line(std::string_view text);

/// `Type: message`, `Type:` or `Type`, where Type is a dotted name.
struct ExceptionLine {
  std::string type;
  std::string message;
};
std::optional<ExceptionLine> parse_exception_line(std::string_view text);

/// Whether a line only marks columns of the line above (`    ~~~~^^^^`).
bool is_caret_line(std::string_view text);

/// How far an exception's message reaches. In prose it ends at the first blank line, as the writer
/// goes on there; in a program's output it may have blank lines.
enum class MessageEnd { kBlankLine, kSomethingElse };

/// Reads the rest of a message, whose first line is given, from the lines at `at` on. Moves `at`.
std::string read_message(Lines lines, std::size_t& at, std::string_view gutter, std::string first,
                         MessageEnd message_end);

/// Reads what stands at `at` when it is a traceback as Python or `rich` prints it, with all that it
/// is chained to: a "Traceback (most recent call last):" header, or frames whose header is cut off.
/// Nothing when no traceback starts there.
std::optional<Found> read_traceback(Lines lines, std::size_t at, MessageEnd message_end);

/// Reads an exception group's member that has no traceback of its own: the line after the rule
/// `+---------------- 2 ----------------`.
std::optional<Found> read_group_member(Lines lines, std::size_t at, MessageEnd message_end);

}  // namespace suture::report
