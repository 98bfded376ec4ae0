#pragma once

#include <string_view>

namespace suture {

/// The executable built from launcher/main.cc, byte for byte.
std::string_view launcher_image();

}  // namespace suture
