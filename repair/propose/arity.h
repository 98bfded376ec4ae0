#pragma once

// How many values are given and how many are taken; providers.cc names them.

#include "repair/propose/provider.h"

namespace suture {

/// Targets for an assignment that got another number of values than it has targets: one more, the
/// rest in a list, or those that are read. (left: the targets; kind: "too many" or "not enough")
std::vector<Ingredient> unpack_targets(const Match& match, const Arguments& arguments);

/// What a return statement should give to the assignment that failed for want of one value: the
/// values it has and, in the place of the missing one, the name that the target has, else None.
std::vector<Ingredient> wanted_returns(const Match& match, const Arguments& arguments);

/// Parameters of the matched function that got something which can be walked only once: generators,
/// maps, filters.
std::vector<Ingredient> walked_once(const Match& match, const Arguments& arguments);

}  // namespace suture
