#include "client/eval/run_task.h"

#include <memory>
#include <utility>

#include "client/eval/candidate_file.h"
#include "client/present/json.h"
#include "repair/base/file.h"
#include "repair/knowledge.h"
#include "repair/pipeline.h"
#include "repair/process/asio_process_runner.h"
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

/// Beside the details of a bug: its candidates, to be ranked again without running anything.
std::filesystem::path candidate_file_of(const RepairTask& task) {
  std::filesystem::path path = task.details_file;
  return path.empty() ? path : path.replace_extension(".candidates.jsonl");
}

Result<RepairResult> repair_task(const RepairTask& task, const Knowledge& knowledge, Clock& clock,
                                 const CancelToken& cancel) {
  AsioProcessRunner processes;
  std::unique_ptr<Executor> executor = make_executor(task, processes);
  TRY_STATUS(executor->ready());
  ProbeInstalled installed(*executor, task.python.string(), task.check.env,
                           names_of_tree(task.tree), cancel);
  NullSink events;
  CandidateFile store(candidate_file_of(task));
  Services services{
      cancel, events, store, clock, *executor, installed, knowledge.patterns, knowledge.weights};
  RepairResult result = repair(request_of(task), services);
  // Whatever the pipeline says, a run without a sandbox must be told from one with it.
  if (!task.sandbox && result.weakenings.empty()) result.weakenings = {"--no-sandbox"};
  return result;
}

}  // namespace

Status rehearse(const RepairTask& task) {
  TRY(Knowledge knowledge, load_knowledge(task.patterns));
  AsioProcessRunner processes;
  return make_executor(task, processes)->ready();
}

Result<InstanceResult> run_task(const RepairTask& task, const std::string& version,
                                const CancelToken& cancel) {
  SystemClock clock;
  TRY(Knowledge knowledge, load_knowledge(task.patterns));
  double before = clock.own_cpu_seconds();
  TRY(RepairResult repaired, repair_task(task, knowledge, clock, cancel));
  double after = clock.own_cpu_seconds();

  InstanceResult result{result_line_of(repaired), {}};
  if (!task.details_file.empty()) {
    Status written =
        write_file_atomically(task.details_file, render_json(repaired, JobContext{version}));
    if (!written) result.warnings.push_back(written.error().display());
  }
  // What the job itself counts, and what this process used before and after: its start, patterns.
  result.line.own_cpu_seconds += before + (clock.own_cpu_seconds() - after);
  return result;
}

}  // namespace suture
