#pragma once

#include <filesystem>
#include <string>

#include "client/cli/interpreter.h"
#include "repair/base/result.h"
#include "repair/report/check.h"

namespace suture {

/// The interpreter that a check names so plainly that no other can be meant: a path
/// ("venv/bin/python"), or a name with a minor version ("python3.9"). Relative paths are made
/// absolute below the tree. Else empty.
std::string interpreter_named_by(const Check& check, const std::filesystem::path& tree);

/// The check as it has to be started so that its `python`, `python3` or `pytest` is the
/// interpreter's. The interpreter's folder comes first in PATH, so a name is replaced only where
/// that folder does not lead to the same program.
Check with_interpreter(Check check, const Interpreter& interpreter);

/// Finds out before the first run whether the check can be started: its program is on the PATH, and
/// the scripts and test files it names are in the tree. `search_path`: the PATH of checks. Errors:
/// kNotFound.
Status find_parts_of(const Check& check, const std::filesystem::path& tree,
                     const std::string& search_path);

}  // namespace suture
