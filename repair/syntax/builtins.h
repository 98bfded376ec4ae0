#pragma once

#include <string_view>

namespace suture {

/// Whether every Python module (3.8 to 3.13) knows the name without binding it.
bool is_builtin(std::string_view name);

}  // namespace suture
