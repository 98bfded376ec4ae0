#pragma once

#include <cstddef>
#include <mutex>

#include "repair/validate/executor.h"

namespace suture {

/// What check runs have cost so far.
struct RunTotals {
  std::size_t runs = 0;          ///< check runs made, whatever their verdict
  std::size_t cached = 0;        ///< answered by runs of earlier jobs; they cost nothing
  std::size_t infra_errors = 0;  ///< of these, the ones that are nobody's fault
  double wall_seconds = 0;       ///< summed; several may have run side by side
  double cpu_seconds = 0;
};

/// Counts the runs of another executor, for budgets and reports.
class CountingExecutor final : public Executor {
 public:
  explicit CountingExecutor(Executor& inner) : inner_(inner) {}
  Status ready() override { return inner_.ready(); }
  CheckRun run(const RunRequest& request, const CancelToken& cancel) override;
  RunTotals totals() const;

 private:
  Executor& inner_;
  mutable std::mutex mutex_;
  RunTotals totals_;
};

}  // namespace suture
