#pragma once

// Providers, predicates and operators about imports and about what libraries moved; the tables in
// providers.cc, predicates.cc and operators.cc name them.

#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {

/// Places where a file reads a name: attribute names, keyword names, parameters and imports left
/// out.
std::vector<Node> reads_of(Node root, std::string_view name);

// Providers.
std::vector<Ingredient> moved_symbols(const Match& match, const Arguments& arguments);
std::vector<Ingredient> import_fallbacks(const Match& match, const Arguments& arguments);
std::vector<Ingredient> reexports(const Match& match, const Arguments& arguments);
std::vector<Ingredient> module_names(const Match& match, const Arguments& arguments);

// Predicates.
Truth has_move(const Match& match, const Arguments& arguments);
Truth import_used(const Match& match, const Arguments& arguments);
Truth imports_module(const Match& match, const Arguments& arguments);
Truth known_module(const Match& match, const Arguments& arguments);
Truth is_module(const Match& match, const Arguments& arguments);
Truth stands_for(const Match& match, const Arguments& arguments);

// Operators.
bool append_to_module(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool defer_import(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool follow_move(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool follow_moves(const Match& match, const Arguments& arguments, TreeEdits& edits);
bool move_import(const Match& match, const Arguments& arguments, TreeEdits& edits);

}  // namespace suture
