#pragma once

// Providers and operators about guards that test something beside what they should: chains of
// attributes, what a branch reports, items of a loop, modules that a block imports; the tables in
// providers.cc and operators.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/provider.h"

namespace suture {

// Providers.
std::vector<Ingredient> availability_guards(const Match& match, const Arguments& arguments);
std::vector<Ingredient> empty_items(const Match& match, const Arguments& arguments);
std::vector<Ingredient> link_statements(const Match& match, const Arguments& arguments);
std::vector<Ingredient> literal_exceptions(const Match& match, const Arguments& arguments);
std::vector<Ingredient> reported_collections(const Match& match, const Arguments& arguments);
std::vector<Ingredient> type_tests(const Match& match, const Arguments& arguments);
std::vector<Ingredient> used_behind(const Match& match, const Arguments& arguments);

// Operators.
bool import_called(const Match& match, const Arguments& arguments, TreeEdits& edits);

}  // namespace suture
