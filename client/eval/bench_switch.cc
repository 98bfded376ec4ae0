#include "client/eval/bench_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "client/eval/task_machine.h"
#include "repair/reproduce/reproduce.h"
#include "repair/syntax/source_tree.h"

namespace suture {
namespace {

using nlohmann::ordered_json;

std::string_view word_of(Reproduction outcome) {
  switch (outcome) {
    case Reproduction::kRed:
      return "red";
    case Reproduction::kNotReproduced:
      return "not reproduced";
    case Reproduction::kFlaky:
      return "flaky";
    case Reproduction::kInfra:
      return "could not be run";
    case Reproduction::kCancelled:
      return "interrupted";
  }
  return "";
}

/// "true at every visit", "false at visit 3 of 7".
std::string words(const ForcedOutcome& forced, const SwitchedCondition& condition) {
  std::string_view outcome = forced.outcome ? "true" : "false";
  if (forced.visit == 0) return fmt::format("{} at every visit", outcome);
  return fmt::format("{} at visit {} of {}", outcome, forced.visit,
                     condition.visits + condition.unfinished);
}

ordered_json json_of(const BugSwitches& bug, std::size_t index) {
  const SwitchedCondition& condition = bug.report.conditions[index];
  ordered_json out = {{"file", bug.conditions[index].file},
                      {"line", bug.conditions[index].line},
                      {"begin", bug.conditions[index].range.start},
                      {"end", bug.conditions[index].range.end},
                      {"function", bug.conditions[index].function},
                      {"text", bug.texts[index]},
                      {"visits", condition.visits},
                      {"came_true", condition.came_true},
                      {"unfinished", condition.unfinished},
                      {"reached", condition.kind == SwitchedCondition::Kind::kVisited},
                      {"green", condition.green() != nullptr},
                      {"settled", condition.settled()},
                      {"reason", condition.reason}};
  out["forced"] = ordered_json::array();
  for (const ForcedOutcome& forced : condition.forced) {
    out["forced"].push_back({{"outcome", forced.outcome},
                             {"visit", forced.visit},
                             {"verdict", to_string(forced.verdict)},
                             {"seconds", forced.seconds},
                             {"reason", forced.reason}});
  }
  return out;
}

ordered_json json_of(const BugSwitches& bug) {
  ordered_json out = {{"instance_id", bug.id}, {"left_out", bug.left_out}};
  if (!bug.left_out.empty()) return out;
  out["base_seconds"] = bug.base_seconds;
  out["able"] = bug.report.able;
  out["reason"] = bug.report.reason;
  out["seconds"] = bug.report.seconds;
  out["children"] = bug.report.children;
  out["reached"] = bug.reached();
  out["green"] = bug.green();
  out["settled"] = bug.settled();
  out["conditions"] = ordered_json::array();
  for (std::size_t i = 0; i < bug.conditions.size(); ++i)
    out["conditions"].push_back(json_of(bug, i));
  return out;
}

std::size_t count(const BugSwitches& bug, bool (*is)(const SwitchedCondition&)) {
  return std::size_t(std::ranges::count_if(bug.report.conditions, is));
}

}  // namespace

std::size_t BugSwitches::reached() const {
  return count(*this, [](const SwitchedCondition& each) {
    return each.kind == SwitchedCondition::Kind::kVisited;
  });
}

std::size_t BugSwitches::green() const {
  return count(*this, [](const SwitchedCondition& each) { return each.green() != nullptr; });
}

std::size_t BugSwitches::settled() const {
  return count(*this, [](const SwitchedCondition& each) { return each.settled(); });
}

Result<BugSwitches> switch_bug(const std::string& id, const RepairTask& task,
                               const SwitchOptions& options, const CancelToken& cancel) {
  TRY(std::unique_ptr<TaskMachine> machine, TaskMachine::make(task, cancel));
  BugSwitches bug;
  bug.id = id;
  NullSink events;
  Reproduced base =
      reproduce(task.check, task.tree, machine->executor(), events, cancel, [](const CheckRun&) {});
  if (cancel.cancelled()) return fail(ErrorKind::kCancelled, "interrupted");
  if (base.outcome != Reproduction::kRed) {
    bug.left_out = fmt::format("{} {}", word_of(base.outcome), base.reason);
    return bug;
  }
  bug.base_seconds = base.plain.use.wall_seconds;
  TRY(std::unique_ptr<SourceTree> tree, SourceTree::open(task.tree));
  bug.conditions = executed_conditions(base.failure, base.evidence, *tree);

  SwitchPlan plan;
  plan.jobs = options.jobs;
  plan.most_children = options.most_children;
  plan.single_visits = options.single_visits;
  plan.child_timeout = plan.start_timeout = task.check.timeout;
  for (const ExecutedCondition& each : bug.conditions) {
    plan.conditions.push_back({each.file, each.range.start, each.range.end});
    bug.texts.emplace_back(tree->bytes(each.file).substr(each.range.start, each.range.size()));
  }
  bug.report = switch_predicates(plan, task.check, task.tree, machine->executor(), cancel);
  if (cancel.cancelled()) return fail(ErrorKind::kCancelled, "interrupted");
  return bug;
}

std::string to_text(const std::vector<BugSwitches>& bugs) {
  std::string text = fmt::format("{:<32} {:>10} {:>8} {:>9} {:>8} {:>8} {:>8}\n", "", "conditions",
                                 "reached", "children", "seconds", "green", "settled");
  for (const BugSwitches& bug : bugs) {
    if (!bug.left_out.empty()) {
      text += fmt::format("{:<32} left out: {}\n", bug.id, bug.left_out);
      continue;
    }
    text += fmt::format("{:<32} {:>10} {:>8} {:>9} {:>8.2f} {:>8} {:>8}  {}\n", bug.id,
                        bug.conditions.size(), bug.reached(), bug.report.children,
                        bug.report.seconds, bug.green(), bug.settled(), bug.report.reason);
    for (std::size_t i = 0; i < bug.conditions.size(); ++i) {
      const SwitchedCondition& condition = bug.report.conditions[i];
      if (const ForcedOutcome* forced = condition.green()) {
        text += fmt::format("  {}:{} {}: `{}`\n", bug.conditions[i].file, bug.conditions[i].line,
                            words(*forced, condition), bug.texts[i]);
      }
    }
  }
  return text;
}

ordered_json to_json(const std::vector<BugSwitches>& bugs) {
  ordered_json out = {{"bugs", bugs.size()}};
  out["per_bug"] = ordered_json::array();
  for (const BugSwitches& bug : bugs) out["per_bug"].push_back(json_of(bug));
  return out;
}

}  // namespace suture
