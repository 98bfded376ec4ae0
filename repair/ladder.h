#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/base/clock.h"
#include "repair/base/event.h"
#include "repair/job.h"
#include "repair/propose/candidate.h"
#include "repair/regression.h"
#include "repair/syntax/source_tree.h"
#include "repair/validate/executor.h"

namespace suture {

/// What the ladder climbs with.
struct LadderInput {
  const Check& check;
  std::chrono::milliseconds timeout;  ///< of one check run of a candidate
  Budget budget;
  int jobs = 1;
  int patches_wanted = 1;  ///< plausible candidates that are not silencing
};

/// What came of it.
struct LadderOutcome {
  std::vector<Trial> trials;           ///< in rank order, candidates that were run or rejected
  std::vector<std::size_t> plausible;  ///< indices of candidates that passed twice
  std::vector<CheckRun> passes;        ///< the confirming run of each plausible candidate
  std::vector<Regression::Found> regressions;  ///< what else was rerun for each of them
  std::int64_t check_runs = 0;
  double check_seconds = 0;
  bool budget_used_up = false;  ///< candidates were left when it ended
};

/// Validates candidates, cheapest test first: apply and parse, then the failing check in a fresh
/// process, then once more to confirm. Several run at once, but verdicts are committed in rank
/// order and the budget is spent in that order, so with a budget in check runs the outcome does not
/// depend on `jobs`. Stops when enough plausible candidates are found, the budget is used up or the
/// token fires. Infrastructure failures are tried once more, and never counted against a candidate.
LadderOutcome climb(std::vector<Candidate>& candidates, const LadderInput& input, SourceTree& tree,
                    Executor& executor, Regression& regression, Clock& clock, EventSink& events,
                    const CancelToken& cancel, const std::function<void(const Trial&)>& keep);

}  // namespace suture
