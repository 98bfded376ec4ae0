#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/propose/pattern.h"

// How a pattern and a place of code come together. Search (propose.h) and scan (findings.h) share
// it; what they differ in is where they look and what they know.

namespace suture {

/// The node kinds at which a pattern is tried, each once.
std::vector<std::string_view> kinds_of(const Pattern& pattern);

/// Calls `found` with the bindings of every way in which the pattern's `match` fits a node of one
/// of its kinds. `start` holds what is bound already. Predicates are not asked.
void for_each_fit(const Pattern& pattern, Node node, const Bindings& start,
                  const std::function<void(Bindings)>& found);

/// Whether no predicate is false; the lifts of those that are true are added to `fit`.
bool satisfied(const std::vector<PredicateUse>& uses, const Match& match, double& fit);

/// The ingredients of the pattern's holes at a match, by hole, best first.
using Offers = std::map<std::string, std::vector<Ingredient>>;
Offers offers_of(const Pattern& pattern, const Match& match);

/// A way to fill the holes that a rewrite uses, with the product of the ingredients' weights.
struct Filling {
  Bindings bindings;
  double weight = 1;
};
/// At most `most` fillings, best first; one without bindings where the rewrite has no holes.
std::vector<Filling> fillings_of(const Rewrite& rewrite, const Offers& offers, std::size_t most);

}  // namespace suture
