#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/interpreter.h"
#include "client/cli/repair_options.h"
#include "client/present/job_context.h"
#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/job.h"
#include "repair/process/process_runner.h"
#include "repair/validate/local_executor.h"
#include "repair/vcs/checkout.h"

namespace suture {

/// A repair that is ready to start: options read, files found, the interpreter asked.
struct RepairJob {
  RepairRequest request;
  LocalExecutorOptions execution;
  enum class Isolation { kSandbox, kNone } isolation = Isolation::kSandbox;
  enum class Memory { kCache, kNone } memory = Memory::kCache;  ///< of verdicts, in verdicts_file()
  JobContext context;
  std::filesystem::path user_tree;  ///< where --apply writes; request.tree may be a copy
  std::vector<std::string> notes;   ///< for the user, one line each

  /// Temporary folders that the job works on.
  std::optional<Materialised> revision;
  std::optional<TemporaryFolder> script;
};

/// Turns options into a job. Reads the report, looks for the tree, the revision, the interpreter
/// and the parts of the check; nothing is run but the interpreter, for its version. Errors: kUsage,
/// kNotFound, kBadInput for what the user gave, kInfra, kCancelled.
Result<RepairJob> prepare_repair(const RepairOptions& options, ProcessRunner& processes,
                                 const CancelToken& cancel);

}  // namespace suture
