#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "client/eval/task.h"
#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/locate/executed_conditions.h"
#include "repair/validate/predicate_switch.h"

namespace suture {

/// Limits of one bug.
struct SwitchOptions {
  std::size_t most_children = 200;
  int single_visits = 2;  ///< see SwitchPlan
  int jobs = 1;           ///< children at once
};

/// What predicate switching shows of a bug.
struct BugSwitches {
  std::string id;
  std::string left_out;     ///< why nothing was measured; empty when it was
  double base_seconds = 0;  ///< wall of the bare check in a fresh sandboxed process
  std::vector<ExecutedCondition> conditions;
  std::vector<std::string> texts;  ///< of the conditions
  SwitchReport report;             ///< its conditions are those above

  std::size_t reached() const;
  std::size_t green() const;    ///< conditions with an outcome that turns the check green
  std::size_t settled() const;  ///< conditions of which no change can help
};

/// Runs the check at the base revision, then forces the conditions that it came to. Errors: those
/// of the machine, kCancelled.
Result<BugSwitches> switch_bug(const std::string& id, const RepairTask& task,
                               const SwitchOptions& options, const CancelToken& cancel);

/// For people: a line a bug, and the conditions that turn its check green below it.
std::string to_text(const std::vector<BugSwitches>& bugs);
nlohmann::ordered_json to_json(const std::vector<BugSwitches>& bugs);

}  // namespace suture
