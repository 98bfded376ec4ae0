#pragma once

#include <vector>

#include "repair/syntax/node.h"

namespace suture {

/// The conditions in a Python node, in document order: of `if`, `elif`, `while`, `assert`,
/// conditional expressions, filters of comprehensions and guards of `case`, without parentheses
/// around them. Those that are a literal (`while True`) decide nothing and are left out; so is what
/// lies in functions and classes nested in the node.
std::vector<Node> conditions_in(Node node);

}  // namespace suture
