#pragma once

// Providers about the forms in which expressions stand elsewhere: wrapped in a call, kept under
// another name, as terms beside others; the table in providers.cc names them.

#include "repair/propose/provider.h"

namespace suture {

std::vector<Ingredient> converted_names(const Match& match, const Arguments& arguments);
std::vector<Ingredient> kindred_terms(const Match& match, const Arguments& arguments);
std::vector<Ingredient> wrappings(const Match& match, const Arguments& arguments);

}  // namespace suture
