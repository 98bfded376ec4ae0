#pragma once

// Providers, predicates and operators about whole statements, definitions and their neighbours; the
// tables in providers.cc, predicates.cc and operators.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

// Providers.
std::vector<Ingredient> captured_results(const Match& match, const Arguments& arguments);
std::vector<Ingredient> edited_text(const Match& match, const Arguments& arguments);
std::vector<Ingredient> initial_values(const Match& match, const Arguments& arguments);
std::vector<Ingredient> loop_names_read(const Match& match, const Arguments& arguments);
std::vector<Ingredient> method_definitions(const Match& match, const Arguments& arguments);
std::vector<Ingredient> neighbour_statements(const Match& match, const Arguments& arguments);
std::vector<Ingredient> own_name(const Match& match, const Arguments& arguments);
std::vector<Ingredient> sibling_statements(const Match& match, const Arguments& arguments);
std::vector<Ingredient> unreset_state(const Match& match, const Arguments& arguments);

// Predicates.
Truth at_module_level(const Match& match, const Arguments& arguments);
Truth changed_later(const Match& match, const Arguments& arguments);
Truth crosswise(const Match& match, const Arguments& arguments);
Truth decorated(const Match& match, const Arguments& arguments);
Truth falls_through(const Match& match, const Arguments& arguments);
Truth followed_by(const Match& match, const Arguments& arguments);
Truth overrides(const Match& match, const Arguments& arguments);
Truth reads(const Match& match, const Arguments& arguments);

// Operators.
bool add_at_end(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool remove_decorator(const Match& match, const Arguments& arguments, TreeEdits& edits);

// Anchors.
Node failing_statement(const Match& match);
Node next_body_start(const Match& match);
Node outer_statement(const Match& match);
Node previous_class(const Match& match);
Node previous_body_end(const Match& match);

}  // namespace suture
