#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "repair/report/check.h"
#include "repair/validate/local_executor.h"

namespace suture {

/// A digest of what checks run in, the tree aside: this suture and its guest packages, processor
/// and GPUs, the environment and the limits of the sandbox, the interpreter, the distributions that
/// are installed for it with their versions (and the folders that it has been pointed at), and the
/// folders that checks may read. What somebody changes by hand inside an installed distribution is
/// not seen. Two jobs of equal surroundings, tree and check show the same.
std::string digest_of_surroundings(const LocalExecutorOptions& options,
                                   const std::filesystem::path& interpreter,
                                   std::string_view version);

/// A digest of a check: its command and variables, and what they name outside the tree: scripts
/// with the helpers beside them that they mention, interpreters, folders on PYTHONPATH. The time
/// limit is left out.
std::string digest_of_check(const Check& check, const std::filesystem::path& tree);

}  // namespace suture
