#pragma once

// Code of the same class or file that gives an attribute or a global its value; providers.cc names
// it.

#include "repair/propose/provider.h"

namespace suture {

/// Statements that give what a name stands for its value, as the class or the file does it
/// elsewhere: `self.build()` for an attribute that `build` sets and that takes no argument; for a
/// global that is None at first, `if x is None: x = load()` as another function has it.
std::vector<Ingredient> initialising_statements(const Match& match, const Arguments& arguments);

/// Statements for the matched __init__ that give each object its own list, dict or set, where the
/// class has one for all objects and its methods change it in place: `self.items = []`.
std::vector<Ingredient> own_state(const Match& match, const Arguments& arguments);

/// Declarations of a field for the matched class (name): as other classes of the tree declare it,
/// else with a default that says nothing. `size: int = 3`
std::vector<Ingredient> field_declarations(const Match& match, const Arguments& arguments);

}  // namespace suture
