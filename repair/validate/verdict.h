#pragma once

#include <string>
#include <string_view>

#include "repair/process/process_runner.h"

namespace suture {

/// What running a check said. Only the exit status of the check decides between the first two.
enum class Verdict {
  kPassed,
  kFailed,
  kTimedOut,
  kCrashed,  ///< ended by a signal or by a memory/process limit
  kBuildFailed,
  kPatchRejected,  ///< the edit did not apply or broke the syntax
  kFlaky,          ///< passed once and failed once
  kInfraError,     ///< never counts against a candidate
  kCancelled,
  kNotRun,
};

/// "PASSED", "FAILED", "TIMED_OUT", "CRASHED", "BUILD_FAILED", "PATCH_REJECTED", "FLAKY",
/// "INFRA_ERROR", "CANCELLED", "NOT_RUN".
std::string_view to_string(Verdict verdict);

/// Whether a verdict says that the check itself failed: by status, by signal or by its time limit.
bool is_red(Verdict verdict);

/// Whether this job made a run itself.
enum class Origin {
  kRun,
  kCache,  ///< an earlier job of the same tree, check and surroundings made it
};

/// "run", "cache".
std::string_view to_string(Origin origin);

/// One check run.
struct CheckRun {
  Verdict verdict = Verdict::kNotRun;
  int code = 0;        ///< exit status, or the signal for kCrashed
  std::string reason;  ///< why, where the verdict alone does not say it
  std::string output;  ///< what the check printed, capped
  ResourceUse use;
  Origin origin = Origin::kRun;
};

}  // namespace suture
