#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/base/clock.h"
#include "repair/base/event.h"
#include "repair/confidence.h"
#include "repair/job.h"
#include "repair/known_verdicts.h"
#include "repair/propose/candidate.h"
#include "repair/refute/refuter.h"
#include "repair/regression.h"
#include "repair/rivals.h"
#include "repair/syntax/source_tree.h"
#include "repair/validate/executor.h"
#include "repair/validate/screen.h"

namespace suture {

struct LadderOutcome;

/// What the ladder climbs with.
struct LadderInput {
  const Check& check;
  std::chrono::milliseconds timeout;  ///< of one check run of a candidate
  Budget budget;
  int jobs = 1;
  int patches_wanted = 1;            ///< plausible candidates that would be shown
  Screen* screen = nullptr;          ///< not owned; without one every candidate is run afresh
  Regression* regression = nullptr;  ///< not owned; without one no other test is rerun
  Refuter* refuter = nullptr;        ///< not owned; without one only syntax is looked at
  KnownVerdicts* known = nullptr;    ///< not owned; without one every candidate is run
  RivalBounds rivals;  ///< how far the search goes on with the patches that are wanted in hand
  /// Whether a plausible candidate of such a standing is shown to the user. One that is withheld
  /// does not end the search. Not set: all are but silencing ones.
  std::function<bool(const Candidate&, const Standing&)> shown;
  /// Asked after each candidate that was looked at; true ends the search. Not set: it goes on.
  std::function<bool(const LadderOutcome&)> is_enough;
};

/// What came of it.
struct LadderOutcome {
  std::vector<Trial> trials;  ///< candidates that were run or rejected, in the order of the search
  std::vector<std::size_t> plausible;          ///< indices of candidates that passed twice
  std::vector<CheckRun> passes;                ///< the confirming run of each plausible candidate
  std::vector<Regression::Found> regressions;  ///< what else was rerun for each of them
  std::map<Tier, std::int64_t> runs;           ///< check runs by the tier that made them
  double check_seconds = 0;      ///< wall, warm processes with all their children included
  double fresh_seconds = 0;      ///< of these, in fresh processes
  std::int64_t cached_runs = 0;  ///< saved, because earlier jobs made them
  bool budget_used_up = false;   ///< candidates were left when it ended
  std::int64_t check_runs() const;
};

/// A materialised candidate as a warm process gets it, told by `index`.
WarmCandidate warm_candidate(std::size_t index, const Candidate& candidate, SourceTree& tree);

/// What the other tests that were rerun say for a candidate.
Standing::OtherTests other_tests(const Regression::Found& found);

/// How the candidate at `index`, which passes, stands among `plausible` ones.
Standing standing_of(std::size_t index, Standing::OtherTests other_tests,
                     const std::vector<std::size_t>& plausible,
                     const std::vector<Candidate>& candidates);

/// Validates candidates, cheapest test first: apply and parse, what earlier jobs know of it,
/// whether Python would take it at all (see Refuter), then the failing check in the fastest tier
/// that serves the candidate (window by window, growing), then, for what passes there and for what
/// no fast tier serves, in a fresh process. Every candidate that is called plausible has passed
/// twice, at least once of that afresh. Several run at once, but verdicts are committed in rank
/// order and the budget is spent in that order, so with a budget in check runs the outcome does not
/// depend on `jobs`. Stops when enough plausible candidates that would be shown are found and
/// enough is known of their rivals (where these put them in doubt the search goes on), the budget
/// is used up or the token fires. Infrastructure failures are tried once more, and never counted
/// against a candidate. What is known from earlier jobs costs no runs, and starts nothing as long
/// as nothing else is needed: a job that is done again makes no run at all.
LadderOutcome climb(std::vector<Candidate>& candidates, const LadderInput& input, SourceTree& tree,
                    Executor& executor, Clock& clock, EventSink& events, const CancelToken& cancel,
                    const std::function<void(const Trial&)>& keep);

}  // namespace suture
