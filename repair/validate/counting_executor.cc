#include "repair/validate/counting_executor.h"

namespace suture {

CheckRun CountingExecutor::run(const RunRequest& request, const CancelToken& cancel) {
  CheckRun run = inner_.run(request, cancel);
  std::lock_guard lock(mutex_);
  if (run.origin == Origin::kCache) {
    ++totals_.cached;
    return run;
  }
  ++totals_.runs;
  if (run.verdict == Verdict::kInfraError) ++totals_.infra_errors;
  totals_.wall_seconds += run.use.wall_seconds;
  totals_.cpu_seconds += run.use.cpu_seconds;
  return run;
}

RunTotals CountingExecutor::totals() const {
  std::lock_guard lock(mutex_);
  return totals_;
}

}  // namespace suture
