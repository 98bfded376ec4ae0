#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "client/eval/bench_validate.h"

namespace suture {

/// The figures of `suture bench validate` over all bugs, for people: per tier the share of bugs and
/// candidates it serves, seconds and CPU a candidate, the ratio to a fresh run with its
/// distribution, agreement with fresh; then why tiers refused, and every disagreement.
std::string to_text(const std::vector<BugFigures>& bugs);

/// The same with the keys `split_ratio_median`, `preload_ratio_median` (over the bugs that the tier
/// serves), `overall_ratio_median` (best tier of each bug), `split_served`, `preload_served` (share
/// of candidates), `agreement_accepted`, `agreement_all` (0 to 1) and `per_bug`.
nlohmann::ordered_json to_json(const std::vector<BugFigures>& bugs);

}  // namespace suture
