#pragma once

#include <map>
#include <string>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/report/check.h"
#include "repair/validate/verdict.h"

namespace suture {

/// The files that a candidate changes: path relative to the tree -> whole new content.
using FileContents = std::map<std::string, std::string>;

/// A folder outside the tree that a run may see.
struct Mount {
  std::string host;
  std::string inside;
  enum class Access { kRead, kWrite } access = Access::kRead;
};

/// One check run to make: the tree at its base revision with `files` laid over it.
struct RunRequest {
  const Check* check = nullptr;            ///< not owned; lives as long as the call
  FileContents files;                      ///< empty: the base revision
  std::map<std::string, std::string> env;  ///< on top of the check's own
  std::vector<std::string> python_path;    ///< put in front of PYTHONPATH, after all other settings
  std::vector<Mount> mounts;
};

/// Runs checks. The two methods are all that local, sandboxed, cached, timed or remote execution
/// have in common; decorators are stacked in main. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Whether checks can run here at all. Errors: kInfra with what is missing.
  virtual Status ready() = 0;
  /// Runs to the end. Infrastructure failures come back as kInfraError, never as an exception.
  virtual CheckRun run(const RunRequest& request, const CancelToken& cancel) = 0;
};

}  // namespace suture
