#pragma once

#include <string_view>

#include "repair/syntax/node.h"

namespace suture {

/// Whether a node stands where an exception of the type is expected: in a `try` with a handler for
/// it, for Exception or for everything, or in a `with` block of `raises` or `suppress`.
bool is_error_expected(Node node, std::string_view type);

}  // namespace suture
