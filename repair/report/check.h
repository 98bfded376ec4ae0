#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"

namespace suture {

/// A command that must go from red (exit status other than 0) to green (0). It runs with the tree
/// as its working folder.
struct Check {
  std::vector<std::string> command;        ///< argv; a shell only where the user's line needs one
  std::map<std::string, std::string> env;  ///< on top of the base environment
  std::chrono::milliseconds timeout{120'000};

  /// The command as one would type it.
  std::string display() const;
};

/// Whether a program, a name or a path, is a Python by its name: python, python3, python3.11.
bool is_python(std::string_view program);
/// The same for pytest.
bool is_pytest(std::string_view program);

/// Reads a check from a command line as typed. Plain words (with quotes and leading NAME=value
/// settings) become an argv; a line that uses shell features (pipes, redirections, ;, &&, globs,
/// $) becomes `sh -c LINE`. Errors: kUsage for an empty line or an unclosed quote.
Result<Check> parse_check(std::string_view line);

}  // namespace suture
