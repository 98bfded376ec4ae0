#pragma once

#include <optional>
#include <string>

#include "repair/refute/edited_file.h"

namespace suture {

/// Why Python would refuse to compile what was written although the grammar allows it: an argument
/// given twice or after one by name, a parameter twice or without a default after one that has it,
/// `return` and `yield` outside functions, `break` and `continue` outside loops. Nothing when it
/// would not, or it cannot be told.
std::optional<std::string> compile_error(const EditedFile& file);

}  // namespace suture
