#pragma once

#include <set>
#include <string>

#include "repair/syntax/node.h"

namespace suture {

/// Names that code put at a place may read: those bound there, and common builtins.
std::set<std::string> usable_names(Node at);

/// Whether all names that the code reads are among the given ones, or bound by itself.
bool is_usable(Node code, const std::set<std::string>& names);

}  // namespace suture
