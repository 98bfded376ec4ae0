#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/file.h"
#include "repair/base/result.h"

namespace suture {

/// What git knows about a folder.
struct Checkout {
  std::filesystem::path root;  ///< top of the work tree; the repository itself when it is bare
  std::string revision;        ///< full id of the commit checked out; empty before the first one
  std::string origin;  ///< URL of the remote "origin" without user and password; may be empty
};

/// The repository that a folder belongs to; nothing when it belongs to none. Reads only.
/// Errors: kInfra when there is one that cannot be read.
Result<std::optional<Checkout>> find_checkout(const std::filesystem::path& folder);

/// Whether tracked files of the checkout differ from its revision. Looks at every tracked file's
/// times (tens of milliseconds for a large tree); does not refresh the index.
enum class WorkTree { kClean, kDirty };
Result<WorkTree> work_tree_of(const Checkout& checkout);

/// A revision's files in a folder of their own.
struct Materialised {
  TemporaryFolder folder;
  std::string revision;              ///< full id of the commit
  std::vector<std::string> missing;  ///< files whose content the repository lacks (partial clones)
};

/// Writes the files of a revision (anything that `git rev-parse` understands) into a fresh
/// temporary folder, without touching the repository, its index or its work tree. The folder may be
/// a subfolder of the repository; the whole revision is written. Submodules become empty folders.
/// Errors: kNotFound for an unknown revision or where there is no repository, kInfra when writing
/// fails.
Result<Materialised> materialise(const std::filesystem::path& folder, std::string_view revision);

}  // namespace suture
