#include "repair/cache/run_record.h"

namespace suture {

bool is_final(Verdict verdict) { return is_red(verdict) || verdict == Verdict::kPassed; }

bool holds_under(Verdict verdict, double seconds, std::chrono::milliseconds had,
                 std::chrono::milliseconds limit) {
  if (verdict == Verdict::kTimedOut) return limit <= had;
  return 1000 * seconds <= double(limit.count());
}

std::optional<Verdict> verdict_from(std::string_view word) {
  for (Verdict verdict : {Verdict::kPassed, Verdict::kFailed, Verdict::kTimedOut, Verdict::kCrashed,
                          Verdict::kBuildFailed, Verdict::kPatchRejected, Verdict::kFlaky,
                          Verdict::kInfraError, Verdict::kCancelled, Verdict::kNotRun}) {
    if (word == to_string(verdict)) return verdict;
  }
  return std::nullopt;
}

}  // namespace suture
