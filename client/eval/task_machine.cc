#include "client/eval/task_machine.h"

#include <string>
#include <utility>
#include <vector>

#include "repair/syntax/source_tree.h"
#include "repair/validate/local_executor.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

/// What any honest check needs is far below these. They stop what would take the machine down.
ProcessLimits limits_of_checks(std::uint64_t memory_bytes) {
  ProcessLimits limits;
  limits.memory_bytes = memory_bytes;
  limits.processes = 1024;
  limits.file_bytes = 16ull << 30;
  return limits;
}

/// Where the checks of a task run. The environment is that of bugs.py: no GPU, no .pyc files.
std::unique_ptr<Executor> make_executor(const RepairTask& task, ProcessRunner& processes) {
  LocalExecutorOptions options;
  options.tree = task.tree;
  options.environment = base_environment(task.python, {});
  options.environment["CUDA_VISIBLE_DEVICES"] = "";
  options.environment["PYTHONDONTWRITEBYTECODE"] = "1";
  options.policy.limits = limits_of_checks(task.check_memory_bytes);
  for (const fs::path& folder : task.visible) options.visible.push_back(folder.string());
  if (task.sandbox) return make_sandboxed_executor(std::move(options), processes);
  return make_unsandboxed_executor(std::move(options), processes, Weakening{"--no-sandbox"});
}

/// Import names that the tree provides: what is installed under them is later knowledge.
std::vector<std::string> names_of_tree(const fs::path& tree) {
  Result<std::unique_ptr<SourceTree>> sources = SourceTree::open(tree);
  return sources ? (*sources)->top_level_names() : std::vector<std::string>();
}

}  // namespace

TaskMachine::TaskMachine(const RepairTask& task, const CancelToken& cancel)
    : executor_(make_executor(task, processes_)),
      installed_(std::make_unique<ProbeInstalled>(*executor_, task.python.string(), task.check.env,
                                                  names_of_tree(task.tree), cancel)) {}

Result<std::unique_ptr<TaskMachine>> TaskMachine::make(const RepairTask& task,
                                                       const CancelToken& cancel) {
  std::unique_ptr<TaskMachine> machine(new TaskMachine(task, cancel));
  TRY_STATUS(machine->executor_->ready());
  return machine;
}

}  // namespace suture
