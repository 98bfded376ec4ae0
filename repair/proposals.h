#pragma once

#include <string_view>
#include <vector>

#include "repair/job.h"
#include "repair/ladder.h"
#include "repair/rank/logistic.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// Whether a candidate that passes is shown, not withheld.
bool is_trusted(const Candidate& candidate, double confidence, const RepairRequest& request);

/// Turns plausible candidates into proposals, shown or withheld, the most trusted first. `ahead`:
/// how many candidates had been tried before the first of them. `first`: the id of one that goes
/// before all others where it is shown at all.
/// Takes what it presents out of `candidates`.
void present(std::vector<Candidate>& candidates, const LadderOutcome& ladder,
             const RepairRequest& request, const LogisticModel& model, SourceTree& tree,
             RepairResult& result, std::size_t ahead = 0, std::string_view first = "");

/// Says why there is no patch, and which of place, ingredient and budget was lacking.
void explain_absence(const LadderOutcome& ladder, RepairResult& result);

}  // namespace suture
