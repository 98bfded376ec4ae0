#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/process/process_runner.h"

namespace suture {

/// A Python that works.
struct Interpreter {
  std::filesystem::path
      path;  ///< absolute, what sys.executable says: shims and wrappers are seen through
  int major = 0, minor = 0, micro = 0;

  std::string version() const;  ///< "3.11.2"
  /// Whether the probe can look into its runs: 3.8 to 3.13.
  bool supported() const { return major == 3 && minor >= 8 && minor <= 13; }
};

/// Where to look for the interpreter.
struct InterpreterSearch {
  std::string wish;  ///< --python or the check's own: a name, a path, or an environment's folder
  std::filesystem::path tree;                      ///< may have a .venv
  std::map<std::string, std::string> environment;  ///< for VIRTUAL_ENV and PATH
};

/// The wish, else $VIRTUAL_ENV/bin/python3, else .venv of the tree, else python3 on PATH. Asks it
/// for its version, so a broken one is found here and not in the first check run. Errors: kNotFound
/// when the wish does not work, kInfra when there is none at all, kCancelled.
Result<Interpreter> find_interpreter(const InterpreterSearch& search, ProcessRunner& processes,
                                     const CancelToken& cancel);

/// The first executable file of that name in a PATH; empty when there is none.
std::filesystem::path find_program(const std::string& name, const std::string& search_path);

/// This process's environment.
std::map<std::string, std::string> own_environment();

}  // namespace suture
