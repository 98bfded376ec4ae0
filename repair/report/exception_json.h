#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "repair/report/failure.h"

namespace suture {

/// {"type", "message", "frames": [[file, line, function], ...]}, outermost frame first.
nlohmann::json json_of(const ExceptionRecord& failure);
/// Reads it back. It may come from the side of a check: what is missing or has another type is left
/// out. Nothing when it is no object.
std::optional<ExceptionRecord> exception_from(const nlohmann::json& json);

}  // namespace suture
