// The binary suture: builds the objects of this machine and hands them to the subcommands.

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "client/cli/command_line.h"
#include "client/cli/completion.h"
#include "client/cli/doctor_command.h"
#include "client/cli/exit_code.h"
#include "client/cli/help_topics.h"
#include "client/cli/interrupt.h"
#include "client/cli/local_repair.h"
#include "client/cli/patterns_command.h"
#include "client/cli/repair_command.h"
#include "client/cli/scan_command.h"
#include "client/cli/version.h"
#include "client/eval/bench_command.h"
#include "client/eval/calibrate_command.h"
#include "client/eval/eval_command.h"
#include "client/eval/fit_command.h"
#include "repair/base/clock.h"
#include "repair/process/asio_process_runner.h"

int main(int argc, char** argv) {
  using namespace suture;
  std::signal(SIGPIPE,
              SIG_IGN);  // a child or a reader that goes away is an error code, not our end

  GlobalOptions global;
  Interrupt interrupt(global.cancel);
  SystemClock clock;
  int exit_code = kExitPatched;
  try {
    AsioProcessRunner processes;
    CLI::App app;
    add_global_options(app, global);
    add_repair_command(app, {global, std::vector<std::string>(argv, argv + argc), processes,
                             [&](RepairJob& job, EventSink& events, const CancelToken& cancel) {
                               return repair_locally(job, processes, events, clock, cancel);
                             },
                             exit_code});
    add_scan_command(app, global, clock, exit_code);
    add_eval_command(app, {global, version(), exit_code});
    add_bench_command(app, {global, version(), exit_code});
    add_fit_command(app, {global, version(), exit_code});
    add_calibrate_command(app, {global, version(), exit_code});
    add_doctor_command(app, global, processes, exit_code);
    add_patterns_command(app, global, exit_code);
    add_help_command(app, exit_code);
    add_completion_command(app);
    return run_command_line(app, argc, argv, exit_code);
  } catch (const std::exception& defect) {
    return report_error(
        {ErrorKind::kInternal, defect.what(), "this is a defect of suture: please report it"});
  }
}
