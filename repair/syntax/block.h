#pragma once

#include <string>
#include <string_view>

// Blocks of code as text, not part of a file yet; see also reindent() and in_style_of() in edit.h.

namespace suture {

/// The blanks and tabs at the start of a line.
std::string_view indent_of(std::string_view line);

std::string_view common_prefix(std::string_view a, std::string_view b);

/// A block written with four blanks a level in other line ends and another indent unit.
std::string in_style(std::string_view block, std::string_view newline, std::string_view unit);

}  // namespace suture
