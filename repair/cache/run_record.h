#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "repair/validate/verdict.h"

namespace suture {

/// Whether a run got to its end, so that another one of the same would show the same: passed,
/// failed, crashed, or ran into its time limit.
bool is_final(Verdict verdict);

/// Whether what took `seconds` under a limit of `had` would end in the same way under `limit`: what
/// ended must have had the time, what did not end would not in less.
bool holds_under(Verdict verdict, double seconds, std::chrono::milliseconds had,
                 std::chrono::milliseconds limit);

/// The verdict of a word ("PASSED"); nothing for words that are none.
std::optional<Verdict> verdict_from(std::string_view word);

}  // namespace suture
