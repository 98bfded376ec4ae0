#include "repair/validate/predicate_switch.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "repair/validate/warm_line.h"
#include "repair/validate/warm_session.h"

namespace suture {
namespace {

using Json = nlohmann::json;

Json asks_of(const SwitchPlan& plan) {
  Json conditions = Json::array();
  for (const ConditionPlace& place : plan.conditions)
    conditions.push_back({place.file, place.begin, place.end});
  return {{"mode", "switch"},
          {"conditions", std::move(conditions)},
          {"children", plan.most_children},
          {"single_visits", plan.single_visits}};
}

/// Notes what the warm process says. What has the wrong form is left out.
class Listener {
 public:
  explicit Listener(SwitchReport& report) : report_(report) {}

  void hear(const std::string& text) {
    Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) return;
    auto index = line.find("index");
    if (index == line.end() || !index->is_number_unsigned()) return;
    if (index->get<std::size_t>() >= report_.conditions.size()) return;
    SwitchedCondition& condition = report_.conditions[index->get<std::size_t>()];
    std::string event = text_in(line, "event");
    if (event == "switched") {
      condition.forced.push_back(forced(line));
      ++report_.children;
      return;
    }
    condition.reason = text_in(line, "reason");
    if (event == "verdict") {
      condition.kind = SwitchedCondition::Kind::kVisited;
      condition.visits = std::int64_t(number_in(line, "visits"));
      condition.came_true = std::int64_t(number_in(line, "true"));
      condition.unfinished = std::int64_t(number_in(line, "lost"));
    } else if (event == "unreached") {
      condition.kind = SwitchedCondition::Kind::kUnreached;
    }
  }

 private:
  static ForcedOutcome forced(const Json& line) {
    ForcedOutcome forced;
    forced.outcome = flag_in(line, "outcome");
    forced.visit = std::int64_t(number_in(line, "visit"));
    forced.visited_again = flag_in(line, "again");
    forced.seconds = number_in(line, "seconds");
    forced.reason = text_in(line, "reason");
    if (std::optional<ChildEnd> end = child_end_in(line)) forced.verdict = end->verdict;
    return forced;
  }

  SwitchReport& report_;
};

SwitchReport ask(const SwitchPlan& plan, const std::function<WarmEnd(WarmQuestion)>& process) {
  SwitchReport report;
  report.conditions.resize(plan.conditions.size());
  WarmEnd end = process({asks_of(plan).dump(-1, ' ', false, Json::error_handler_t::replace),
                         plan.most_children, plan.time_limit,
                         [&](const std::string& line) { Listener(report).hear(line); }});
  report.able = end.able;
  report.reason = std::move(end.reason);
  report.seconds = end.seconds;
  return report;
}

}  // namespace

const ForcedOutcome* SwitchedCondition::green() const {
  auto found = std::ranges::find(forced, Verdict::kPassed, &ForcedOutcome::verdict);
  return found == forced.end() ? nullptr : &*found;
}

bool SwitchedCondition::settled() const {
  return kind == Kind::kVisited && visits == 1 && unfinished == 0 && forced.size() == 1 &&
         is_red(forced.front().verdict) && !forced.front().visited_again;
}

SwitchReport switch_predicates(const SwitchPlan& plan, const Check& check,
                               const std::filesystem::path& tree, Executor& executor,
                               const CancelToken& cancel) {
  WarmPlan warm;
  warm.jobs = plan.jobs;
  warm.child_timeout = plan.child_timeout;
  warm.start_timeout = plan.start_timeout;
  return ask(plan, [&](WarmQuestion question) {
    warm.asked = std::move(question);
    return run_warm_session(
        warm, check, tree, executor, [](const WarmAnswer&) {}, cancel);
  });
}

SwitchReport switch_predicates(const SwitchPlan& plan, HeldProcess& held,
                               const CancelToken& cancel) {
  return ask(plan, [&](WarmQuestion question) { return held.ask(std::move(question), cancel); });
}

}  // namespace suture
