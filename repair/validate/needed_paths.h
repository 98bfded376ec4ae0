#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repair/report/check.h"

namespace suture {

/// The folders that programs on PATH live in and need: for an environment of Python its whole
/// prefix, the installation that a virtual environment builds on, and the folders that the .pth
/// files of its site-packages name; else the folder itself and the `lib` beside it.
std::vector<std::filesystem::path> environment_paths(
    const std::map<std::string, std::string>& environment);

/// The existing files and folders that the words of a check's command name by absolute path, each
/// with the environment that it is part of.
std::vector<std::filesystem::path> command_paths(const Check& check);

/// The entries of PYTHONPATH.
std::vector<std::filesystem::path> python_paths(const std::string& python_path);

}  // namespace suture
