#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"

namespace suture {

/// One file before and after. A side without content: the file does not exist there.
struct FileChange {
  std::string path;  ///< relative to the tree, parts separated by '/'
  std::optional<std::string> before, after;
  enum class Mode { kPlain, kExecutable } mode = Mode::kPlain;  ///< of an existing file; kept
};

/// The changes as one unified diff in git's form: a/ and b/ prefixes, index lines, three lines of
/// context, files by path, `\ No newline at end of file`, every byte kept (CRLF, any encoding).
/// `git apply` on the old files gives the new ones byte for byte. Files that do not change are left
/// out. Errors: kInternal when libgit2 cannot make it (no memory).
Result<std::string> unified_diff(std::vector<FileChange> changes);

/// A run of neighbouring lines that a diff replaces. Lines keep their line ends; only the last line
/// of a file can be without one.
struct LineChange {
  std::string path;
  int old_line = 1;  ///< 1-based: the first removed line, or the line that the added ones go before
  std::vector<std::string> removed, added;
  bool operator==(const LineChange&) const = default;
};

/// Reads a diff as written by unified_diff back into its changed lines, in file order.
/// Errors: kBadInput when the text is not a diff.
Result<std::vector<LineChange>> line_changes(std::string_view diff);

}  // namespace suture
