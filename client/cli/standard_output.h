#pragma once

#include <string_view>

#include "repair/base/result.h"

namespace suture {

/// Writes all of it to standard output. A reader that went away (`| head`) is no error. Errors:
/// kInfra, when the disk behind a redirection is full.
Status write_to_standard_output(std::string_view text);

}  // namespace suture
