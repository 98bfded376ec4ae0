#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "client/eval/task.h"
#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/knowledge.h"
#include "repair/validate/tier.h"

namespace suture {

/// What to measure of one bug.
struct BenchOptions {
  std::size_t candidates = 25;  ///< the first of the ranked ones
  std::string module;           ///< only bugs whose check imports this module; empty: all
};

/// What one tier did with the candidates of a bug.
struct TierFigures {
  std::size_t served = 0;     ///< candidates with a verdict
  std::size_t unreached = 0;  ///< of these, not run because the check never calls what they edit
  std::size_t alike = 0;      ///< of these, not run because they end as another one does
  double seconds = 0;         ///< wall of the children, summed
  double cpu_seconds = 0;
  double session_seconds = 0;        ///< wall of the warm processes, base runs included
  std::size_t held_too_late = 0;     ///< candidates that the held process left to one of their own
  std::size_t equal = 0;             ///< verdicts equal to fresh ones
  std::size_t accepted = 0;          ///< candidates that this tier or the fresh run lets pass
  std::size_t equally_accepted = 0;  ///< of these, by both
  std::string unable;                ///< why it does not serve this check
  std::map<std::string, std::size_t> refusals;  ///< reason -> candidates

  std::size_t run() const { return served - unreached - alike; }
};

/// A verdict of a tier that a fresh run does not share.
struct Disagreement {
  std::string candidate;  ///< id
  std::string summary;
  Tier tier = Tier::kSplit;
  Verdict warm = Verdict::kNotRun;
  Verdict fresh = Verdict::kNotRun;
};

struct BugFigures {
  std::string id;
  std::string left_out;               ///< why nothing was measured; empty when it was
  std::size_t candidates = 0;         ///< run in every tier
  double base_seconds = 0;            ///< wall of the bare check in a fresh sandboxed process
  double fresh_seconds = 0;           ///< wall of a fresh run of a candidate, mean
  double fresh_cpu_seconds = 0;       ///< user and system, mean
  std::map<Tier, TierFigures> tiers;  ///< kSplit and kPreload
  std::vector<Disagreement> disagreements;

  /// Fresh seconds a candidate over the tier's; 0 when it served none.
  double ratio(Tier tier) const;
  /// That of the fastest tier that serves candidates of this bug; 1 when only fresh does.
  double best_ratio() const;
};

/// Runs the first candidates of a bug through every tier, and each of them afresh. Errors: those of
/// the machine, kCancelled. A bug that cannot be measured (not reproduced, no candidates) says so
/// in `left_out`.
Result<BugFigures> bench_bug(const std::string& id, const RepairTask& task,
                             const Knowledge& knowledge, const BenchOptions& options,
                             const CancelToken& cancel);

}  // namespace suture
