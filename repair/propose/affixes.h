#pragma once

// Names and keys that differ by something put in front or behind ("module.weight" and "weight");
// providers.cc names them.

#include "repair/propose/provider.h"

namespace suture {

/// The text, as a literal, that one name has in front of another: of "module.weight" over "weight"
/// it is "module.". Nothing when the one does not end with the other.
std::vector<Ingredient> surplus_prefix(const Match& match, const Arguments& arguments);

/// Expressions for the keys that a dict of the run (object) has instead of a missing one (missing),
/// made from the code of the key (key): `"pre_" + key`, `key.removeprefix("pre_")`.
std::vector<Ingredient> affixed_keys(const Match& match, const Arguments& arguments);

/// Prefixes, as literals, that the files take off names or ask for, and that the check, its message
/// or the texts of the run hold.
std::vector<Ingredient> known_prefixes(const Match& match, const Arguments& arguments);

}  // namespace suture
