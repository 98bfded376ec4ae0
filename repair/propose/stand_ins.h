#pragma once

// Names, attributes, words and entries that may stand in the place of another (or beside others);
// the tables in providers.cc and predicates.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

// Providers.
std::vector<Ingredient> alternatives(const Match& match, const Arguments& arguments);
std::vector<Ingredient> other_attributes(const Match& match, const Arguments& arguments);
std::vector<Ingredient> other_names(const Match& match, const Arguments& arguments);
std::vector<Ingredient> owners_of(const Match& match, const Arguments& arguments);
std::vector<Ingredient> registry_additions(const Match& match, const Arguments& arguments);

// Predicates.
Truth attribute_of_class(const Match& match, const Arguments& arguments);
Truth formats_names(const Match& match, const Arguments& arguments);
Truth observed_member(const Match& match, const Arguments& arguments);

}  // namespace suture
