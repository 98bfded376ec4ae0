#pragma once

#include <filesystem>
#include <vector>

#include "repair/base/result.h"
#include "repair/rank/fit.h"

namespace suture {

/// Reads the candidates that `suture eval --details` recorded in `folder`, for the bugs that
/// `labels` names. A label is a line of JSON: {"instance_id": "x-1", "group": "owner/name",
/// "right": ["id of a candidate", ...]}; "right" may be empty. Bugs without a recorded list are
/// left out. Errors: kBadInput with file and line, kInfra.
Result<std::vector<RankedBug>> read_ranked_bugs(const std::filesystem::path& folder,
                                                const std::filesystem::path& labels);

}  // namespace suture
