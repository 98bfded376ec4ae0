#pragma once

#include <string>
#include <vector>

#include "repair/locate/scene.h"

namespace suture {

/// A function that the check ran, and how near it is to what the check compares.
struct WeighedFunction {
  const CalledFunction* called = nullptr;
  double weight = 0;      ///< 0 to 1, the best function of the run has 1
  int depth = 0;          ///< calls between the check and the function; -1 when unknown
  bool in_slice = false;  ///< called from the lines of the check that make the compared values
  bool compared = false;  ///< its value equals an operand of the failing comparison
};

/// Functions of the tree by weight, heaviest first: near to the check, called from the lines that
/// make the compared values, returning them, named by the check, short, and late in the run.
std::vector<WeighedFunction> weigh_called(Scene& scene);

}  // namespace suture
