#pragma once

#include <optional>
#include <string>

#include "repair/refute/callee.h"
#include "repair/refute/edited_file.h"

namespace suture {

/// Why a call that the change of a file writes or changes raises a TypeError: it passes what the
/// called function does not take, or not all that it needs. Calls that stay as they were, and those
/// whose TypeError is expected, are not looked at.
std::optional<std::string> call_error(const std::string& path, const EditedTree& edited,
                                      CalleeFinder& callees);

}  // namespace suture
