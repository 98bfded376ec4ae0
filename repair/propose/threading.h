#pragma once

// Providers and operators that carry a value from one function to another, and a name from its
// users to its definition; the tables in providers.cc, predicates.cc and operators.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

// Providers.
std::vector<Ingredient> open_calls(const Match& match, const Arguments& arguments);
std::vector<Ingredient> threadable_names(const Match& match, const Arguments& arguments);

// Predicates.
Truth stale_definition(const Match& match, const Arguments& arguments);

// Operators.
bool pass_from_caller(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool rename_definition(const Match& match, const Arguments& arguments, TreeEdits& edits);

}  // namespace suture
