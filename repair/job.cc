#include "repair/job.h"

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

}  // namespace suture
