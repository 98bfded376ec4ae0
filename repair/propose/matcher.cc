#include "repair/propose/matcher.h"

#include <algorithm>

namespace suture {
namespace {

/// Adds fields, captures and the match itself; false when they do not fit.
bool complete(const Pattern& pattern, Node node, Bindings& bindings) {
  for (const auto& [name, field] : pattern.fields) {
    Node value = node.field(field);
    if (!value) return false;
    auto [at, added] = bindings.try_emplace(name, Binding{std::string(value.text()), value});
    if (!added && at->second.text != value.text()) return false;
    at->second.node = value;
  }
  for (const NodeQuery& query : pattern.queries) {
    if (!query.match(node, bindings)) return false;
  }
  // The text of a whole function is not copied for nothing.
  if (pattern.mentions_match && node.kind() != "module")
    bindings["MATCH"] = {std::string(node.text()), node};
  return true;
}

}  // namespace

std::vector<std::string_view> kinds_of(const Pattern& pattern) {
  std::vector<std::string_view> kinds(pattern.kinds.begin(), pattern.kinds.end());
  for (const Snippet& snippet : pattern.any) kinds.push_back(snippet.root_kind());
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

void for_each_fit(const Pattern& pattern, Node node, const Bindings& start,
                  const std::function<void(Bindings)>& found) {
  for (const Snippet& snippet : pattern.none) {
    Bindings ignored;
    if (snippet.match(node, ignored)) return;
  }
  auto report = [&](Bindings bindings) {
    if (complete(pattern, node, bindings)) found(std::move(bindings));
  };
  if (pattern.any.empty()) return report(start);
  for (const Snippet& snippet : pattern.any) {
    Bindings bindings = start;
    if (snippet.match(node, bindings)) report(std::move(bindings));
  }
}

bool satisfied(const std::vector<PredicateUse>& uses, const Match& match, double& fit) {
  for (const PredicateUse& use : uses) {
    Truth truth = use.predicate->holds(match, use.arguments);
    if (use.negated && truth != Truth::kUnknown)
      truth = truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
    if (truth == Truth::kFalse) return false;
    if (truth == Truth::kTrue) fit += use.predicate->lift;
  }
  return true;
}

Offers offers_of(const Pattern& pattern, const Match& match) {
  Offers offers;
  for (const Hole& hole : pattern.holes) {
    auto offer = hole.provider->offer(match, hole.arguments);
    if (offer.size() > hole.limit) offer.resize(hole.limit);
    offers[hole.name] = std::move(offer);
  }
  return offers;
}

std::vector<Filling> fillings_of(const Rewrite& rewrite, const Offers& offers, std::size_t most) {
  std::vector<Filling> filled(1);
  for (const std::string& name : rewrite.holes) {
    std::vector<Filling> next;
    for (const Filling& filling : filled) {
      for (const Ingredient& ingredient : offers.at(name)) {
        Filling extended = filling;
        extended.bindings[name] = {ingredient.text, ingredient.node};
        extended.weight *= ingredient.weight;
        next.push_back(std::move(extended));
      }
    }
    filled = std::move(next);
    std::stable_sort(filled.begin(), filled.end(),
                     [](auto& a, auto& b) { return a.weight > b.weight; });
    if (filled.size() > most) filled.resize(most);
  }
  return filled;
}

}  // namespace suture
