#include "repair/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "repair/confidence.h"
#include "repair/regression.h"
#include "repair/standing.h"
#include "repair/vcs/diff.h"

namespace suture {
namespace {

std::vector<FileChange> changes_of(const Candidate& candidate, SourceTree& tree) {
  std::vector<FileChange> changes;
  for (const auto& [path, content] : candidate.files) {
    changes.push_back({path, std::string(tree.bytes(path)), content});
  }
  return changes;
}

}  // namespace

bool is_trusted(const Candidate& candidate, double confidence, const RepairRequest& request) {
  return confidence >= request.confidence_threshold && candidate.silencing == Silencing::kNo;
}

void present(std::vector<Candidate>& candidates, const LadderOutcome& ladder,
             const RepairRequest& request, const LogisticModel& model, SourceTree& tree,
             RepairResult& result, std::size_t ahead, std::string_view first) {
  std::vector<Standing> standings;
  for (std::size_t i = 0; i < ladder.plausible.size(); ++i)
    standings.push_back(standing_of(ladder.plausible[i], other_tests(ladder.regressions[i]),
                                    ladder.plausible, candidates));
  for (std::size_t i = 0; i < ladder.plausible.size(); ++i) {
    std::size_t index = ladder.plausible[i];
    Proposal proposal;
    proposal.candidate = std::move(candidates[index]);
    proposal.rank = int(ahead + index) + 1;
    auto diff = unified_diff(changes_of(proposal.candidate, tree));
    if (!diff) {
      result.outcome = Outcome::kInfraError;
      result.reason = diff.error().display();
      continue;
    }
    proposal.diff = std::move(*diff);
    proposal.rerun.push_back({result.check->display(), ladder.passes[i].verdict,
                              ladder.passes[i].use.wall_seconds, ladder.passes[i].origin});
    const Regression::Found& others = ladder.regressions[i];
    proposal.rerun.insert(proposal.rerun.end(), others.rerun.begin(), others.rerun.end());
    proposal.not_rerun = others.reason;
    proposal.rivals = standings[i].rivals;
    proposal.share = standings[i].share;
    Confidence confidence = judge_confidence(proposal.candidate, standings[i], model);
    proposal.confidence = confidence.value;
    proposal.confidence_reasons = std::move(confidence.reasons);
    bool shown = is_trusted(proposal.candidate, proposal.confidence, request);
    (shown ? result.proposals : result.withheld).push_back(std::move(proposal));
  }
  auto more_trusted = [&](const Proposal& a, const Proposal& b) {
    bool leads = a.candidate.id == first, follows = b.candidate.id == first;
    return leads != follows ? leads : a.confidence > b.confidence;
  };
  std::ranges::stable_sort(result.proposals, more_trusted);
  // What was found beyond the patches that are wanted are rivals of these.
  while (result.proposals.size() > std::size_t(std::max(1, request.patches_wanted))) {
    result.withheld.push_back(std::move(result.proposals.back()));
    result.proposals.pop_back();
  }
  std::ranges::stable_sort(result.withheld, more_trusted);
}

void explain_absence(const LadderOutcome& ladder, RepairResult& result) {
  if (!result.withheld.empty()) {
    result.reason = fmt::format(
        "{} found, but not trusted enough to show",
        result.withheld.size() == 1 ? "a patch that passes was" : "patches that pass were");
  } else if (result.locations.empty()) {
    result.reason = "nothing in the tree could be linked to the failure";
    result.lack = RepairResult::Lack::kPlace;
  } else if (result.candidates == 0) {
    result.reason = "no pattern fits the places that the failure points at";
    result.lack = RepairResult::Lack::kIngredient;
  } else if (ladder.budget_used_up) {
    result.reason = fmt::format("the budget was used up after {} of {} candidates",
                                result.trials.size(), result.candidates);
    result.lack = RepairResult::Lack::kBudget;
  } else {
    result.reason =
        fmt::format("none of the {} candidates makes the check pass", result.candidates);
    result.lack = RepairResult::Lack::kIngredient;
  }
}

}  // namespace suture
