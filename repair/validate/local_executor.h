#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "repair/validate/executor.h"
#include "repair/validate/sandbox.h"

namespace suture {

/// Where and how checks run.
struct LocalExecutorOptions {
  std::filesystem::path tree;  ///< absolute; the check sees it under this same path
  std::map<std::string, std::string> environment;  ///< see base_environment
  SandboxPolicy policy;
  /// Host folders and files that checks may read although they lie under a place that is hidden
  /// (/tmp, /run, home folders): a folder of check scripts, a cache of models. The tree, the Python
  /// environments on PATH, the files that a check's command names and what is on PYTHONPATH are
  /// visible anyhow.
  std::vector<std::string> visible;
};

/// Runs each check in a fresh process inside bubblewrap, in its own overlay of the tree: the tree
/// is the read-only lower layer, the candidate's files and whatever the check writes live in a
/// private upper layer that is thrown away. Where overlays cannot be mounted, a copy of the tree
/// per run serves instead. The tree itself is never written to.
std::unique_ptr<Executor> make_sandboxed_executor(LocalExecutorOptions options,
                                                  ProcessRunner& runner);

/// The same without bubblewrap (`--no-sandbox`): a copy of the tree per run, the process group
/// killed as a whole, limits applied; no protection from what the code does. The weakening must be
/// named.
std::unique_ptr<Executor> make_unsandboxed_executor(LocalExecutorOptions options,
                                                    ProcessRunner& runner, Weakening weakening);

}  // namespace suture
