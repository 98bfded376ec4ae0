#pragma once

#include <chrono>

#include "repair/validate/executor.h"

namespace suture {

/// How long runs for a candidate may take, never longer than the user allows: a hang that a
/// candidate causes should not eat the budget.
struct TimeLimits {
  std::chrono::milliseconds fresh;  ///< of the whole check in a new process
  std::chrono::milliseconds child;  ///< of a child that was forked in the middle of the check
  std::chrono::milliseconds base;   ///< of the unchanged check up to where a warm process forks
  /// Whether the unchanged check ran into its limit. A child that does so is then like it; else it
  /// got further than the unchanged check, and may only need longer.
  bool base_hangs = false;
  double base_seconds = 0;  ///< wall, of the unchanged check; 0 where that hung
};

/// From the run of the unchanged check. Where that hung it says nothing of how fast the check is:
/// then all is as the user allows, until hang_limits() knows more.
TimeLimits time_limits(const Check& check, const CheckRun& base);

/// Of a child that was forked where the unchanged check first called the tree, so many seconds
/// after its start: it has the rest of the check before it. One that a defect keeps from going on
/// is to be given up soon; what only needs longer gets a fresh run.
std::chrono::milliseconds held_child_limit(const TimeLimits& limits, double seconds_to_first_call);

/// For a check that hangs, from the seconds until its first call into the tree: imports and set-up,
/// which are most of a check that passes.
TimeLimits hang_limits(const Check& check, double seconds_to_first_call);

}  // namespace suture
