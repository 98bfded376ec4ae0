#pragma once

#include <string>

namespace suture {

/// "0.1.0".
std::string version();

}  // namespace suture
