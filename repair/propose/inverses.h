#pragma once

// Pairs of functions of which one undoes what the other does (merge and unmerge, push and pop), and
// what the one has to do where the other does something; providers.cc names it.

#include "repair/propose/provider.h"

namespace suture {

/// Operators and names that undo another one (of: `mul`, `+=`, `append`): when the match's function
/// has a twin that it undoes, and the twin has the very same code (1) or the same operator (0.4).
std::vector<Ingredient> inverse_operations(const Match& match, const Arguments& arguments);

}  // namespace suture
