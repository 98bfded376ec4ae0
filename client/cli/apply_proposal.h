#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/job.h"

namespace suture {

/// Writes a proposal's files into the tree, all or none, after checking that each still is what the
/// search started from. Gives the files written. Errors: kBadInput when a file was changed
/// meanwhile, kInfra when writing fails; nothing is written then.
Result<std::vector<std::string>> apply_proposal(const std::filesystem::path& tree,
                                                const Proposal& proposal);

}  // namespace suture
