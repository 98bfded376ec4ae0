#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "repair/validate/executor.h"
#include "repair/validate/warm_session.h"

namespace suture {

/// A condition: the bytes [begin, end) of a file of the tree, parentheses around it included or
/// not. Of an `if`, `elif`, `while`, `assert`, conditional expression, filter of a comprehension,
/// or guard of a `case`.
struct ConditionPlace {
  std::string file;
  std::size_t begin = 0, end = 0;
};

/// What became of the check when a condition came out as it was told to.
struct ForcedOutcome {
  bool outcome = false;
  std::int64_t visit = 0;              ///< 1-based, this one only; 0: every visit
  Verdict verdict = Verdict::kNotRun;  ///< kNotRun: it cannot be told, `reason` says why
  bool visited_again = false;          ///< the child came to it again, after the first forced visit
  double seconds = 0;                  ///< wall, of the child
  std::string reason;
};

struct SwitchedCondition {
  enum class Kind {
    kVisited,
    kUnreached,  ///< the base run never comes to it: no change of it can help
    kUntold,     ///< refused, or the process ended before; `reason` says why
  } kind = Kind::kUntold;
  std::int64_t visits = 0;      ///< in the base run, evaluated to the end
  std::int64_t came_true = 0;   ///< of these
  std::int64_t unfinished = 0;  ///< visits at which evaluating it raised
  /// What was tried. Not there is what would have changed nothing (true at every visit, where it
  /// was true at every visit), and single visits where forcing every visit is green or the same.
  std::vector<ForcedOutcome> forced;
  std::string reason;

  /// The first forced outcome that turns the check green; null when there is none.
  const ForcedOutcome* green() const;
  /// Whether no change of this condition alone can turn the check green: it is visited once, with
  /// its own outcome and with the other one, and both are red. (A changed condition could only
  /// raise, or change something else while it is evaluated.)
  bool settled() const;
};

struct SwitchPlan {
  std::vector<ConditionPlace> conditions;  ///< most suspicious first: children go to the first ones
  int jobs = 1;                            ///< children at once
  std::size_t most_children = 200;
  int single_visits = 2;  ///< tried of each value that a condition gives: the last, the first, ...
  std::chrono::milliseconds child_timeout{60'000};
  std::chrono::milliseconds start_timeout{60'000};  ///< of the run up to the first condition
  /// Of all of it, in a held process; conditions that are not answered by then are kUntold.
  std::optional<std::chrono::milliseconds> time_limit;
};

struct SwitchReport {
  bool able = false;  ///< false: no warm process can hold this check, `reason` says why
  std::string reason;
  std::vector<SwitchedCondition> conditions;  ///< as planned
  std::size_t children = 0;                   ///< forked for forced outcomes
  double seconds = 0;                         ///< wall, of the warm process, children included
};

/// Predicate switching: runs the check once at the base revision, in a warm process (see
/// warm_session.h), and forks a child for each condition and outcome that the condition did not
/// have, in which it has it. A green one says where a fix can be before anyone knows how the fix
/// reads. The verdict is the exit status of the child; a program so forced is no patch, so nothing
/// here is ever a proof that one passes. `tree` is absolute. Stops when the token fires; what was
/// told until then is reported.
SwitchReport switch_predicates(const SwitchPlan& plan, const Check& check,
                               const std::filesystem::path& tree, Executor& executor,
                               const CancelToken& cancel);

/// The same in a process of tier split that is held already: what it ran before is not run again.
/// Conditions of functions that were called before it was held are kUntold.
SwitchReport switch_predicates(const SwitchPlan& plan, HeldProcess& held,
                               const CancelToken& cancel);

}  // namespace suture
