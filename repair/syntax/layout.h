#pragma once

#include <string>
#include <string_view>

#include "repair/syntax/source_file.h"

// Questions about how code is laid out; for this folder.

namespace suture {

/// Whether only white space (and a byte order mark) stands before a byte on its line.
bool first_on_line(const SourceFile& file, std::uint32_t byte);

/// Whether only white space or a comment stands between a byte and the end of its line.
bool rest_is_blank(const SourceFile& file, std::uint32_t byte);

/// Whether a line that counts ends between two bytes outside strings and brackets: a line end
/// behind a backslash does not.
bool line_ends_between(const SourceFile& file, std::uint32_t from, std::uint32_t to);

/// Code without white space and line joins, for comparing.
std::string without_blanks(std::string_view code);

}  // namespace suture
