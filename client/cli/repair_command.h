#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "client/cli/repair_job.h"
#include "client/present/global_options.h"
#include "repair/base/event.h"
#include "repair/pipeline.h"

namespace suture {

/// Runs a prepared job to its end; main gives the one that builds the services of this machine. May
/// add to the job's context what only it knows (texts of rules). Errors: before anything was run
/// (bad pattern file, no sandbox); later failures are outcomes.
using RunJob = std::function<Result<RepairResult>(RepairJob& job, EventSink& events,
                                                  const CancelToken& cancel)>;

/// What the command needs of the program around it. Must outlive the App.
struct RepairProgram {
  const GlobalOptions& global;
  std::vector<std::string> command_line;  ///< as started, for the hint how to apply a patch
  ProcessRunner& processes;
  RunJob run;
  int& exit_code;
};

/// Adds the subcommand `repair`.
void add_repair_command(CLI::App& app, RepairProgram program);

}  // namespace suture
