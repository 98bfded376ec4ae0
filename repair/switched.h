#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "repair/propose/candidate.h"
#include "repair/syntax/source_tree.h"
#include "repair/validate/predicate_switch.h"

namespace suture {

/// What predicate switching said about the candidates of a job.
struct Switched {
  std::size_t conditions = 0;  ///< asked about
  std::size_t green = 0;       ///< of these, a forced outcome makes the check pass
  std::size_t red = 0;         ///< of these, no forced outcome does
  std::size_t children = 0;
  double seconds = 0;  ///< wall
};

/// Asks what happens when the conditions that the best candidates change come out otherwise, and
/// notes it as features of every candidate that changes such a condition and nothing else:
/// `switch_green` 1 where a forced outcome makes the check pass, `switch_red` 1 where all that were
/// tried leave it red. The caller ranks again. `candidates` are ranked; `ask` runs the plan, whose
/// conditions alone are set.
Switched note_switched(std::vector<Candidate>& candidates, SourceTree& tree,
                       const std::function<SwitchReport(SwitchPlan)>& ask);

}  // namespace suture
