#pragma once

#include <filesystem>
#include <string>

#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/report/check.h"
#include "repair/reproduce/evidence.h"
#include "repair/validate/executor.h"

namespace suture {

/// A check run with the probe on PYTHONPATH.
struct TracedRun {
  CheckRun run;
  Evidence evidence;   ///< paths are those of `tree`; empty when the probe did not run
  std::string reason;  ///< why there is no evidence
};

/// Runs a check at the base revision with the probe. `tree` is absolute. A run that did not get to
/// its end (kInfraError, kCancelled) has no evidence. Errors: kInfra when there is no place for
/// what the probe writes.
Result<TracedRun> run_traced(const Check& check, const std::filesystem::path& tree,
                             Executor& executor, const CancelToken& cancel);

}  // namespace suture
