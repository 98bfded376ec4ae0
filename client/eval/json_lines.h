#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "repair/base/result.h"

namespace suture {

/// Calls `take` with each line of a file of JSON lines, empty ones left out. `form` says what a
/// line should be. Errors: kBadInput with file and line for what is no JSON and for what `take`
/// throws (nlohmann::json::exception), those of read_file.
Status each_json_line(const std::filesystem::path& path, const char* form,
                      const std::function<void(const nlohmann::json&)>& take);

}  // namespace suture
