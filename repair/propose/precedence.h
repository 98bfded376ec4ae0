#pragma once

#include <string>
#include <string_view>

#include "repair/syntax/source_file.h"

namespace suture {

/// How tightly a Python expression holds together: 0 (named expression, lambda) to 20 (atoms).
int precedence(Node expression);
/// The precedence that an expression needs to stand where `node` stands without parentheses.
int required_precedence(Node node);

/// Python code in parentheses when it is an expression that could not stand where `place` stands.
/// `code` that is not one expression comes back as it is.
std::string fit_into(Node place, std::string_view code);

}  // namespace suture
