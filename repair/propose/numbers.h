#pragma once

// Numbers that come out wrong, and the number of the run that is in between; providers.cc names it.

#include "repair/propose/provider.h"

namespace suture {

/// Names of the matched function whose value, by one operation (as: factor, divisor, ceiling for a
/// division that rounds up, addend or subtrahend), makes a number that the check asks for of the
/// one that came out: six for two where a name holds three, as a factor. What came out is a number
/// that the check compared (or told in its message) and that the function returned, or the target
/// of the assignment got.
std::vector<Ingredient> missing_numbers(const Match& match, const Arguments& arguments);

}  // namespace suture
