#include "repair/validate/verdict.h"

namespace suture {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "PASSED";
    case Verdict::kFailed:
      return "FAILED";
    case Verdict::kTimedOut:
      return "TIMED_OUT";
    case Verdict::kCrashed:
      return "CRASHED";
    case Verdict::kBuildFailed:
      return "BUILD_FAILED";
    case Verdict::kPatchRejected:
      return "PATCH_REJECTED";
    case Verdict::kFlaky:
      return "FLAKY";
    case Verdict::kInfraError:
      return "INFRA_ERROR";
    case Verdict::kCancelled:
      return "CANCELLED";
    case Verdict::kNotRun:
      return "NOT_RUN";
  }
  return "INFRA_ERROR";
}

std::string_view to_string(Origin origin) { return origin == Origin::kRun ? "run" : "cache"; }

bool is_red(Verdict verdict) {
  return verdict == Verdict::kFailed || verdict == Verdict::kTimedOut ||
         verdict == Verdict::kCrashed;
}

}  // namespace suture
