#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/syntax/node.h"

namespace suture {

/// Names and attribute chains ("x", "self.a.b") of an expression or a statement's header, each
/// once, in order. Names of called functions and keywords of arguments are left out: they hold no
/// value that could be wrong.
std::vector<std::string> value_expressions(Node expression);

/// The argument of a call that becomes the named parameter of a function; null when it is not
/// passed, or when the call names another function. `self` and `cls` take no argument.
Node argument_for(Node call, Node function, std::string_view parameter);

}  // namespace suture
