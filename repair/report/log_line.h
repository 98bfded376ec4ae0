#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace suture::report {

/// One line of a text, with any prefix of its stream taken off.
struct LogLine {
  std::string_view text;
  std::size_t number = 0;  ///< 0-based in the whole text
};

using Lines = std::span<const LogLine>;

bool is_blank(std::string_view text);

/// `text` without the gutter ("  | ", "> ", "    ") that its block stands behind; nothing when the
/// line lacks it and so is not of the block. A blank line need not repeat the gutter's spaces.
std::optional<std::string_view> behind_gutter(std::string_view text, std::string_view gutter);

/// Whether a line is made only of what gutters are made of: spaces, ">" and "|".
bool is_gutter(std::string_view text);

/// The first line at or after `at` that is not blank behind the gutter; lines.size() at the end.
std::size_t skip_blank(Lines lines, std::size_t at, std::string_view gutter);

/// Whether a line starts something of its own: a log record, a rule of a test runner, a prompt, the
/// closing words of a launcher. The message of an exception never goes on over it.
bool starts_something_else(std::string_view text);

/// A rule such as "=====", "-----" or "===== FAILURES =====".
bool is_rule(std::string_view text);

/// Whether the line says how the next traceback is linked to the one before.
bool is_chain_phrase(std::string_view text);

}  // namespace suture::report
