#include "repair/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace suture {
namespace {

// A logistic model of "a maintainer would take this patch", fitted once on 69 patches for
// historical bugs that passed their checks and were read and judged by hand (leave-one-out AUC
// 0.90), its weights then rounded. What told most is how often the pattern is right (`prior`, a
// logarithm) and how many candidates had to be tried; whether values seen at run time fit told
// nothing. Rivals and other tests did not occur there: their weights are judgement.
constexpr double kIntercept = 2.8;
constexpr double kPrior = 1.05;
constexpr double kLowestPrior = -5;
constexpr double kUsuallyRight = -1.3;
// Judgement as well: the four such patches that were read were wrong.
constexpr double kSwitched = -0.7;
constexpr double kSeldomRight = -2.6;

double feature(const Candidate& candidate, const char* name) {
  auto at = candidate.features.find(name);
  return at == candidate.features.end() ? 0 : at->second;
}

}  // namespace

bool is_serious(const Candidate& candidate) {
  return candidate.silencing == Silencing::kNo && feature(candidate, "prior") >= kSeldomRight;
}

Confidence judge_confidence(const Candidate& candidate, const Standing& standing) {
  Confidence confidence;
  double odds = kIntercept;
  auto count = [&](double by, std::string reason) {
    odds += by;
    if (!reason.empty()) confidence.reasons.push_back(std::move(reason));
  };
  double prior = std::max(feature(candidate, "prior"), kLowestPrior);
  count(kPrior * prior, prior > kUsuallyRight  ? "a pattern that is usually right where it passes"
                        : prior < kSeldomRight ? "a pattern that is seldom right by itself"
                                               : "");
  if (feature(candidate, "specific") > 0) count(0.35, "the pattern asks for this very message");
  if (feature(candidate, "mentioned") > 0)
    count(0.35, "it uses a name that the check or the message mentions");
  if (feature(candidate, "switch_green") > 0)
    count(kSwitched, "any condition that comes out otherwise there passes");
  if (standing.rank > 1)
    count(-0.4 * std::log2(standing.rank),
          fmt::format("{} candidates were tried before it", standing.rank - 1));
  if (standing.rivals > 0)
    count(-0.5, fmt::format("{} other candidates pass the check as well", standing.rivals));
  if (standing.other_tests == Standing::OtherTests::kGreen)
    count(1, "other tests around the edited code still pass");
  confidence.value = std::clamp(1 / (1 + std::exp(-odds)), 0.02, 0.95);
  if (candidate.silencing != Silencing::kNo) {
    confidence.value = std::min(confidence.value, 0.1);
    confidence.reasons.insert(confidence.reasons.begin(), "it may only silence the check");
  }
  return confidence;
}

}  // namespace suture
