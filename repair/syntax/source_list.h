#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace suture {

/// The sources below a folder (a canonical path), relative to it and sorted; what SourceTree lists.
std::vector<std::string> list_sources(const std::filesystem::path& root);

}  // namespace suture
