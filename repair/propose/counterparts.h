#pragma once

// Objects that are made to take the place of others; providers.cc names it.

#include "repair/propose/provider.h"

namespace suture {

/// Statements that give a new object of the matched function the flag that the parts of the old one
/// have: `new.weight.requires_grad_(old.weight.requires_grad)`, after parts of the same name
/// (`new.weight` and `old.weight`) that the function handles.
std::vector<Ingredient> carried_flags(const Match& match, const Arguments& arguments);

}  // namespace suture
