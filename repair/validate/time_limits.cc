#include "repair/validate/time_limits.h"

#include <algorithm>
#include <cstdint>

namespace suture {
namespace {

using std::chrono::milliseconds;

milliseconds at_most(milliseconds limit, double fixed_seconds, double seconds) {
  return std::min(limit, milliseconds(std::int64_t(1000 * (fixed_seconds + seconds))));
}

}  // namespace

TimeLimits time_limits(const Check& check, const CheckRun& base) {
  if (base.verdict == Verdict::kTimedOut)
    return {check.timeout, check.timeout, check.timeout, true};
  double seconds = base.use.wall_seconds;
  milliseconds whole = at_most(check.timeout, 10, 4 * seconds);
  return {whole, at_most(check.timeout, 3, 1.5 * seconds), whole, false, seconds};
}

milliseconds held_child_limit(const TimeLimits& limits, double seconds_to_first_call) {
  double rest = std::max(0.0, limits.base_seconds - seconds_to_first_call);
  return at_most(limits.child, 1, 2 * rest);
}

TimeLimits hang_limits(const Check& check, double seconds_to_first_call) {
  milliseconds whole = at_most(check.timeout, 10, 4 * seconds_to_first_call);
  return {whole, at_most(check.timeout, 5, seconds_to_first_call), whole, true};
}

}  // namespace suture
