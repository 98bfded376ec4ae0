#include "repair/job.h"

#include <algorithm>

namespace suture {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPatched:
      return "PATCHED";
    case Outcome::kNoPatch:
      return "NO_PATCH";
    case Outcome::kNotReproduced:
      return "NOT_REPRODUCED";
    case Outcome::kFlakyCheck:
      return "FLAKY_CHECK";
    case Outcome::kNoCheck:
      return "NO_CHECK";
    case Outcome::kEnvironment:
      return "ENVIRONMENT";
    case Outcome::kUnsupported:
      return "UNSUPPORTED";
    case Outcome::kCancelled:
      return "CANCELLED";
    case Outcome::kInfraError:
      return "INFRA_ERROR";
  }
  return "INFRA_ERROR";
}

std::size_t rejected_by(Refutation::Rule rule, const std::vector<Trial>& trials) {
  return std::size_t(
      std::ranges::count_if(trials, [&](const Trial& trial) { return trial.rejected_by == rule; }));
}

}  // namespace suture
