#pragma once

// Numbers that come out wrong, and the number of the run that is in between; providers.cc names it.

#include "repair/propose/provider.h"

namespace suture {

/// Names of the matched function whose value, by one operation (as: factor, divisor, addend or
/// subtrahend), makes the number that is expected of the one that came out: six for two where a
/// name holds three, as a factor. What came out is the value that the function returned, that the
/// assignment's target got, or that the check compared; what is expected is compared by the check.
std::vector<Ingredient> missing_numbers(const Match& match, const Arguments& arguments);

}  // namespace suture
