#pragma once

// Providers, predicates and operators about arguments and parameters; the tables in providers.cc,
// predicates.cc and operators.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

/// An expression that holds a value, by the name that it answers to: `self.rate` to "rate".
struct ValueSource {
  std::string name, code;
  double weight;
};
/// The values that can be had at a place of a function: names in scope, attributes of self and of
/// other objects that the function uses.
std::vector<ValueSource> values_around(Node place);

// Providers.
std::vector<Ingredient> container_sizes(const Match& match, const Arguments& arguments);
std::vector<Ingredient> expected_types(const Match& match, const Arguments& arguments);
std::vector<Ingredient> forwardable_arguments(const Match& match, const Arguments& arguments);
std::vector<Ingredient> gradient_returns(const Match& match, const Arguments& arguments);
std::vector<Ingredient> missing_arguments(const Match& match, const Arguments& arguments);
std::vector<Ingredient> neighbour_keywords(const Match& match, const Arguments& arguments);
std::vector<Ingredient> next_versions(const Match& match, const Arguments& arguments);
std::vector<Ingredient> parameters_by_default(const Match& match, const Arguments& arguments);
std::vector<Ingredient> renamed_text(const Match& match, const Arguments& arguments);
std::vector<Ingredient> slot_names(const Match& match, const Arguments& arguments);
std::vector<Ingredient> tensors_near(const Match& match, const Arguments& arguments);
std::vector<Ingredient> unused_parameters(const Match& match, const Arguments& arguments);

// Predicates.
Truth calls_named(const Match& match, const Arguments& arguments);
Truth check_mentions(const Match& match, const Arguments& arguments);
Truth crossed(const Match& match, const Arguments& arguments);
Truth misplaced(const Match& match, const Arguments& arguments);
Truth statement_mentions(const Match& match, const Arguments& arguments);
Truth unused_parameter(const Match& match, const Arguments& arguments);

// Operators.
bool add_field(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool by_keyword(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool pass_argument(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool replace_everywhere(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool set_default(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool thread_keyword(const Match& match, const Arguments& arguments, TreeEdits& edits);

}  // namespace suture
