#pragma once

// Providers, predicates and operators about conditions; the tables in providers.cc, predicates.cc
// and operators.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

// Providers.
std::vector<Ingredient> conditions(const Match& match, const Arguments& arguments);
std::vector<Ingredient> branch_values(const Match& match, const Arguments& arguments);
std::vector<Ingredient> condition_operands(const Match& match, const Arguments& arguments);
std::vector<Ingredient> size_names(const Match& match, const Arguments& arguments);
std::vector<Ingredient> mode_guards(const Match& match, const Arguments& arguments);
std::vector<Ingredient> kindred_types(const Match& match, const Arguments& arguments);
std::vector<Ingredient> negation(const Match& match, const Arguments& arguments);
std::vector<Ingredient> observed_literal(const Match& match, const Arguments& arguments);
std::vector<Ingredient> opposite_comparators(const Match& match, const Arguments& arguments);
std::vector<Ingredient> expected_exceptions(const Match& match, const Arguments& arguments);

// Predicates.
Truth decides(const Match& match, const Arguments& arguments);
Truth evaluates(const Match& match, const Arguments& arguments);
Truth branch_taken(const Match& match, const Arguments& arguments);
Truth around_failure(const Match& match, const Arguments& arguments);
Truth type_in_message(const Match& match, const Arguments& arguments);
Truth first_of_function(const Match& match, const Arguments& arguments);
Truth has_child(const Match& match, const Arguments& arguments);
Truth sets(const Match& match, const Arguments& arguments);
Truth fits_message(const Match& match, const Arguments& arguments);
Truth looks_numeric(const Match& match, const Arguments& arguments);
Truth seen(const Match& match, const Arguments& arguments);
Truth in_condition(const Match& match, const Arguments& arguments);
Truth tests_part_of(const Match& match, const Arguments& arguments);
Truth check_expects_exception(const Match& match, const Arguments& arguments);

// Operators.
bool choose(const Match& match, const Arguments& arguments, TreeEdits& edits);

}  // namespace suture
