#pragma once

#include "repair/syntax/source_file.h"

// Questions about what stands on a line; for the edits of this folder.

namespace suture {

/// Whether only white space (and a byte order mark) stands before a byte on its line.
bool first_on_line(const SourceFile& file, std::uint32_t byte);

/// Whether only white space or a comment stands between a byte and the end of its line.
bool rest_is_blank(const SourceFile& file, std::uint32_t byte);

/// Whether a line that counts ends between two bytes outside strings and brackets: a line end
/// behind a backslash does not.
bool line_ends_between(const SourceFile& file, std::uint32_t from, std::uint32_t to);

}  // namespace suture
