#pragma once

// Providers and predicates about what the code alone shows to be wrong; the tables in providers.cc
// and predicates.cc name them. Providers point at places: their ingredients have nodes.

#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

// Providers.
std::vector<Ingredient> repeated_conditions(const Match& match, const Arguments& arguments);
std::vector<Ingredient> repeated_keys(const Match& match, const Arguments& arguments);
std::vector<Ingredient> returns_within(const Match& match, const Arguments& arguments);
std::vector<Ingredient> unreachable_statements(const Match& match, const Arguments& arguments);

// Predicates.
Truth bound_only_to(const Match& match, const Arguments& arguments);
Truth miscounted(const Match& match, const Arguments& arguments);
Truth parts_used(const Match& match, const Arguments& arguments);

}  // namespace suture
