#include "client/eval/run_task.h"

#include <memory>
#include <utility>

#include "client/eval/candidate_file.h"
#include "client/eval/task_machine.h"
#include "client/present/json.h"
#include "repair/base/file.h"
#include "repair/knowledge.h"
#include "repair/pipeline.h"

namespace suture {
namespace {

/// Beside the details of a bug: its candidates, to be ranked again without running anything.
std::filesystem::path candidate_file_of(const RepairTask& task) {
  std::filesystem::path path = task.details_file;
  return path.empty() ? path : path.replace_extension(".candidates.jsonl");
}

Result<RepairResult> repair_task(const RepairTask& task, const Knowledge& knowledge, Clock& clock,
                                 const CancelToken& cancel) {
  TRY(std::unique_ptr<TaskMachine> machine, TaskMachine::make(task, cancel));
  NullSink events;
  CandidateFile store(candidate_file_of(task));
  Services services{cancel,
                    events,
                    store,
                    clock,
                    machine->executor(),
                    machine->installed(),
                    knowledge.patterns,
                    knowledge.weights,
                    knowledge.confidence.model};
  RepairResult result = repair(request_of(task), services);
  // Whatever the pipeline says, a run without a sandbox must be told from one with it.
  if (!task.sandbox && result.weakenings.empty()) result.weakenings = {"--no-sandbox"};
  return result;
}

}  // namespace

Status rehearse(const RepairTask& task) {
  TRY(Knowledge knowledge, load_knowledge(task.patterns));
  TRY(std::unique_ptr<TaskMachine> machine, TaskMachine::make(task, CancelToken()));
  return {};
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
