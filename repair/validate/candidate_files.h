#pragma once

#include <filesystem>
#include <string>

#include "repair/base/result.h"
#include "repair/validate/executor.h"

namespace suture {

/// The files of a candidate as the launcher reads them: for each "PATH\0LENGTH\0CONTENT", PATH
/// relative to the tree and free of symbolic links, so that an edit reaches the file that a link
/// points at. Errors: kBadInput for a path that is absolute or leaves the tree.
Result<std::string> pack_files(const std::filesystem::path& tree, const FileContents& files);

}  // namespace suture
