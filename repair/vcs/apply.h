#pragma once

#include <filesystem>
#include <vector>

#include "repair/base/result.h"
#include "repair/vcs/diff.h"

namespace suture {

/// Writes the `after` of every change into the tree: all of them or none. First every file is
/// compared with its `before`; then each is replaced atomically; when one fails, those already
/// written get their old content back (the very file, with its times). A change without `before`
/// makes a new file, one without `after` removes it. Symbolic links stay links. Errors: kBadInput
/// when a file is not as `before` says or lies outside the tree, kInfra when writing fails; nothing
/// is changed then.
Status apply_changes(const std::filesystem::path& tree, const std::vector<FileChange>& changes);

}  // namespace suture
