#include "client/cli/local_repair.h"

#include "repair/cache/sqlite_verdicts.h"
#include "repair/cache/surroundings.h"
#include "repair/knowledge.h"
#include "repair/reproduce/installed.h"
#include "repair/syntax/source_tree.h"

namespace suture {
namespace {

void add_rules(JobContext& context, const Catalogue& patterns) {
  for (const Pattern& pattern : patterns.patterns()) {
    context.rules[pattern.id] = {pattern.summary, pattern.rationale};
  }
}

std::unique_ptr<Executor> make_executor(const RepairJob& job, ProcessRunner& processes) {
  if (job.isolation == RepairJob::Isolation::kSandbox)
    return make_sandboxed_executor(job.execution, processes);
  return make_unsandboxed_executor(job.execution, processes, Weakening{"--no-sandbox"});
}

/// The user's cache of verdicts; null for a job without memory, or where there is none to be had.
std::unique_ptr<VerdictCache> open_verdicts(RepairJob& job) {
  std::filesystem::path file = verdicts_file();
  if (job.memory == RepairJob::Memory::kNone || file.empty()) return nullptr;
  auto warn = [&job](const std::string& text) { job.notes.push_back(text); };
  auto opened = SqliteVerdicts::open(file, warn);
  if (opened) return std::move(*opened);
  warn(opened.error().display());
  return nullptr;
}

}  // namespace

Result<RepairResult> repair_locally(RepairJob& job, ProcessRunner& processes, EventSink& events,
                                    Clock& clock, const CancelToken& cancel) {
  TRY(Knowledge knowledge, load_knowledge(job.request.patterns));
  TRY(std::unique_ptr<SourceTree> tree, SourceTree::open(job.request.tree));
  add_rules(job.context, knowledge.patterns);

  std::unique_ptr<Executor> executor = make_executor(job, processes);
  TRY_STATUS(executor->ready());
  std::map<std::string, std::string> check_env =
      job.request.check ? job.request.check->env : std::map<std::string, std::string>();
  ProbeInstalled installed(*executor, job.request.interpreter, check_env, tree->top_level_names(),
                           cancel);
  NoStore store;
  Services services{cancel,
                    events,
                    store,
                    clock,
                    *executor,
                    installed,
                    knowledge.patterns,
                    knowledge.weights,
                    knowledge.confidence.model};
  std::unique_ptr<VerdictCache> verdicts = open_verdicts(job);
  if (verdicts) {
    services.verdicts = verdicts.get();
    services.surroundings =
        digest_of_surroundings(job.execution, job.request.interpreter, job.context.version);
  }
  RepairResult result = repair(job.request, services);
  // Whatever the pipeline says, a run without a sandbox must be told from one with it.
  if (job.isolation == RepairJob::Isolation::kNone && result.weakenings.empty())
    result.weakenings = {"--no-sandbox"};
  return result;
}

}  // namespace suture
