#pragma once

#include <string>
#include <vector>

#include "repair/report/failure.h"
#include "repair/reproduce/evidence.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// A condition in a function that the check ran.
struct ExecutedCondition {
  std::string file;  ///< relative to the tree
  Range range;       ///< without parentheses around it
  int line = 0;
  std::string function;  ///< qualified name
};

/// The conditions that the check came to in functions of the tree, the most suspicious first: those
/// in the frames of the failure, innermost first, then those of the functions that were called
/// last. Left out are tests, and functions that only ran while the tree was imported, unless the
/// failure is in them. Empty without evidence.
std::vector<ExecutedCondition> executed_conditions(const Failure& failure, const Evidence& evidence,
                                                   SourceTree& tree);

}  // namespace suture
