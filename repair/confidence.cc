#include "repair/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace suture {
namespace {

double feature(const Candidate& candidate, const char* name) {
  auto at = candidate.features.find(name);
  return at == candidate.features.end() ? 0 : at->second;
}

}  // namespace

void judge_confidence(Proposal& proposal, const RepairResult& result) {
  const Candidate& candidate = proposal.candidate;
  double confidence = 0.5;
  auto count = [&](double by, std::string reason) {
    confidence += by;
    proposal.confidence_reasons.push_back(std::move(reason));
  };
  if (feature(candidate, "specific") > 0) count(0.15, "the pattern asks for this very message");
  if (feature(candidate, "fit") >= 1) count(0.1, "values seen at run time support it");
  if (feature(candidate, "in_range") == 1) count(0.1, "it changes the expression that failed");
  if (feature(candidate, "mentioned") > 0)
    count(0.05, "it uses a name that the check or the message mentions");
  if (proposal.rank > 1)
    count(-0.08 * std::log10(proposal.rank),
          fmt::format("{} candidates were tried before it", proposal.rank - 1));
  if (result.plausible > 1)
    count(-0.1, fmt::format("{} other candidates pass the check as well", result.plausible - 1));
  auto other_green = [&](const Rerun& run) {
    return &run != &proposal.rerun.front() && run.verdict == Verdict::kPassed;
  };
  if (std::ranges::any_of(proposal.rerun, other_green))
    count(0.05, "other tests around the edited code still pass");
  if (candidate.silencing != Silencing::kNo) {
    confidence = std::min(confidence, 0.1);
    proposal.confidence_reasons.insert(proposal.confidence_reasons.begin(),
                                       "it may only silence the check");
  }
  proposal.confidence = std::clamp(confidence, 0.02, 0.95);
}

}  // namespace suture
