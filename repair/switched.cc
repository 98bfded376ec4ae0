#include "repair/switched.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "repair/syntax/conditions.h"

namespace suture {
namespace {

/// Only what would be tried soon is worth asking about.
constexpr std::size_t kRanksLookedAt = 200;
constexpr std::size_t kMostConditions = 24;
constexpr std::size_t kMostChildren = 48;

/// The conditions of files, found once a file.
class Conditions {
 public:
  explicit Conditions(SourceTree& tree) : tree_(tree) {}

  /// The innermost condition around a range, or none.
  std::optional<Range> around(const std::string& file, Range range) {
    auto [at, added] = files_.try_emplace(file);
    if (added) at->second = ranges_of(file);
    std::optional<Range> best;
    for (Range condition : at->second) {
      bool smaller = !best || condition.end - condition.start < best->end - best->start;
      if (condition.contains(range) && smaller) best = condition;
    }
    return best;
  }

 private:
  std::vector<Range> ranges_of(const std::string& path) {
    std::vector<Range> ranges;
    const SourceFile* file = tree_.source(path);
    if (file == nullptr || file->language() != Language::kPython) return ranges;
    walk(file->root(), [&](Node node) {
      if (node.is({"module", "function_definition", "class_definition"})) {
        for (Node condition : conditions_in(node)) ranges.push_back(condition.range());
      }
      return true;
    });
    return ranges;
  }

  SourceTree& tree_;
  std::map<std::string, std::vector<Range>> files_;
};

using Place = std::pair<std::string, Range>;

struct ByStart {
  bool operator()(const Place& a, const Place& b) const {
    return std::tie(a.first, a.second.start, a.second.end) <
           std::tie(b.first, b.second.start, b.second.end);
  }
};

/// The condition that a candidate changes, if it changes nothing else.
std::optional<Place> condition_of(const Candidate& candidate, Conditions& conditions) {
  if (candidate.edits.size() != 1 || candidate.edits.begin()->second.size() != 1)
    return std::nullopt;
  const auto& [file, edits] = *candidate.edits.begin();
  std::optional<Range> range = conditions.around(file, edits.front().range);
  if (!range) return std::nullopt;
  return Place{file, *range};
}

const char* feature_of(const SwitchedCondition& condition) {
  if (condition.green() != nullptr) return "switch_green";
  bool tried = condition.kind == SwitchedCondition::Kind::kVisited && !condition.forced.empty() &&
               std::ranges::all_of(condition.forced, [](const ForcedOutcome& forced) {
                 return is_red(forced.verdict);
               });
  return tried ? "switch_red" : nullptr;
}

}  // namespace

Switched note_switched(std::vector<Candidate>& candidates, SourceTree& tree,
                       const std::function<SwitchReport(SwitchPlan)>& ask) {
  Conditions conditions(tree);
  std::map<Place, std::size_t, ByStart> asked;  // place -> index in the plan
  SwitchPlan plan;
  plan.most_children = kMostChildren;
  std::vector<std::optional<Place>> places;
  for (const Candidate& candidate : candidates) {
    places.push_back(condition_of(candidate, conditions));
    bool wanted = places.back() && places.size() <= kRanksLookedAt &&
                  plan.conditions.size() < kMostConditions;
    if (wanted && asked.emplace(*places.back(), plan.conditions.size()).second)
      plan.conditions.push_back(
          {places.back()->first, places.back()->second.start, places.back()->second.end});
  }
  Switched told;
  told.conditions = plan.conditions.size();
  if (plan.conditions.empty()) return told;

  SwitchReport report = ask(std::move(plan));
  told.children = report.children;
  told.seconds = report.seconds;
  std::vector<const char*> features;
  for (const SwitchedCondition& condition : report.conditions) {
    features.push_back(feature_of(condition));
    if (features.back() == nullptr) continue;
    ++(condition.green() != nullptr ? told.green : told.red);
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!places[i]) continue;
    auto found = asked.find(*places[i]);
    if (found == asked.end() || found->second >= features.size()) continue;
    if (const char* feature = features[found->second]) candidates[i].features[feature] = 1;
  }
  return told;
}

}  // namespace suture
