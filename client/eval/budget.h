#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "repair/base/result.h"
#include "repair/job.h"

namespace suture {

/// Reads a length of time: "60" and "60s" are seconds; "1500ms", "2m" and "1h" are what they say.
/// Fractions are fine ("0.5s"). Errors: kUsage; also for zero and negative lengths.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Reads what search may cost: a duration, "40 runs", or both with a comma ("40 runs, 60s").
/// What is not named is unlimited. Errors: kUsage.
Result<Budget> parse_budget(std::string_view text);

}  // namespace suture
