#include "client/eval/eval_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include "client/eval/child_runner.h"
#include "client/eval/eval.h"
#include "client/eval/eval_options.h"
#include "client/eval/run_task.h"
#include "client/eval/table.h"
#include "repair/process/asio_process_runner.h"

namespace suture {
namespace {

int report(const Error& error) {
  std::cerr << "suture eval: " << error.display() << "\n";
  return exit_code_of(error.kind);
}

/// Asks on the first tree that is there whether repairs can work; without any tree there is nothing
/// to ask, and each line will say so.
Status rehearse_once(const std::vector<Instance>& instances, const EvalSetup& setup) {
  for (const Instance& instance : instances) {
    std::error_code ignored;
    RepairTask task = make_task(instance, setup);
    if (std::filesystem::is_directory(task.tree, ignored)) return rehearse(task);
  }
  return {};
}

/// The line of each chosen instance that has one, old or new; of several, the last.
std::vector<ResultLine> lines_of(const std::vector<Instance>& chosen,
                                 const std::vector<ResultLine>& earlier,
                                 std::map<std::string, ResultLine> fresh) {
  for (auto line = earlier.rbegin(); line != earlier.rend(); ++line) {
    fresh.try_emplace(line->instance_id, *line);
  }
  std::vector<ResultLine> lines;
  for (const Instance& instance : chosen) {
    if (auto found = fresh.find(instance.id); found != fresh.end()) lines.push_back(found->second);
  }
  return lines;
}

/// One `suture eval` from arguments to tables.
class EvalCommand {
 public:
  EvalCommand(const EvalArguments& arguments, const EvalProgram& program)
      : arguments_(arguments), program_(program) {}

  Status run() {
    TRY(EvalSetup setup, setup_of(arguments_));
    TRY(DataSet data, load_dataset(arguments_.dataset));
    TRY(std::vector<Instance> chosen, select(std::move(data.instances), selection_of(arguments_)));
    TRY_STATUS(checks_are_given(chosen, setup));
    TRY_STATUS(rehearse_once(chosen, setup));
    TRY(std::unique_ptr<ResultFile> file, arguments_.resume ? ResultFile::resume(arguments_.out)
                                                            : ResultFile::create(arguments_.out));
    if (!setup.sandbox) warn("without a sandbox, the code of all these bugs runs with your rights");
    TRY(auto fresh, run_rest(chosen, std::move(setup), *file));
    return show(lines_of(chosen, file->earlier(), std::move(fresh)), data.labels);
  }

 private:
  Result<std::map<std::string, ResultLine>> run_rest(const std::vector<Instance>& chosen,
                                                     EvalSetup setup, ResultFile& file) {
    std::vector<Instance> rest =
        still_to_run(chosen, file.earlier(), ResumePolicy{arguments_.retry_infra});
    if (rest.size() < chosen.size()) {
      warn(fmt::format("{} of {} bugs have a line already", chosen.size() - rest.size(),
                       chosen.size()));
    }
    AsioProcessRunner processes;
    ChildRunner runner({"/proc/self/exe", arguments_.dataset, std::move(setup)}, processes);
    SystemClock clock;
    std::ostream nowhere(nullptr);
    bool quiet = program_.global.verbosity == Verbosity::kQuiet;
    Progress progress(quiet ? nowhere : std::cerr, !quiet && isatty(STDERR_FILENO) != 0,
                      rest.size(), clock);
    BatchOptions options{arguments_.jobs, "suture " + program_.version};
    return run_instances(rest, options, runner, file, progress, program_.global.cancel);
  }

  Status show(const std::vector<ResultLine>& lines,
              const std::map<std::string, InstanceLabels>& labels) {
    Tables tables = make_tables(lines, labels);
    std::cout << (arguments_.json ? to_json(tables).dump(2) + "\n" : to_text(tables)) << std::flush;
    if (tables.all.bugs == 0 && tables.all.infra > 0) {
      return fail(ErrorKind::kInfra, "no bug could be tried", lines.front().reason);
    }
    return {};
  }

  void warn(const std::string& message) {
    if (program_.global.verbosity != Verbosity::kQuiet) std::cerr << message << "\n";
  }

  const EvalArguments& arguments_;
  const EvalProgram& program_;
};

/// `suture eval-one`: see ChildRunner.
Status eval_one(const EvalProgram& program) {
  std::string input(std::istreambuf_iterator<char>(std::cin), {});
  TRY(RepairTask task, read_task(input));
  TRY(InstanceResult result, run_task(task, program.version, program.global.cancel));
  std::cout << write_instance_result(result) << std::flush;
  return {};
}

void add_repair_options(CLI::App& command, EvalArguments& a) {
  const char* group = "Repair";
  command
      .add_option("--budget", a.budget, "For each bug after reproduction: 60s, '40 runs' or both")
      ->capture_default_str()
      ->type_name("BUDGET")
      ->group(group);
  command.add_option("--timeout", a.timeout, "Of one check run, instead of the data set's")
      ->type_name("TIME")
      ->group(group);
  command.add_option("--jobs", a.jobs, "Bugs at once; each runs one check at a time")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->group(group);
  command
      .add_option("--patterns", a.pattern_folders, "A folder of patterns besides the built-in ones")
      ->type_name("DIR")
      ->group(group);
  command.add_option("--only", a.only, "Only these patterns or families")
      ->delimiter(',')
      ->type_name("WORD")
      ->group(group);
  command.add_option("--exclude", a.exclude, "Not these patterns or families")
      ->delimiter(',')
      ->type_name("WORD")
      ->group(group);
  command.add_option("--confidence", a.confidence, "Below it a patch is withheld")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("0-1")
      ->group(group);
  command
      .add_flag("--only-silencing", a.only_silencing,
                "Baseline: only delete statements, return early, swallow exceptions")
      ->group(group);
  command.add_flag("--fresh-only", a.fresh_only, "Every check run in a new process")->group(group);
  command.add_flag("--no-sandbox", a.no_sandbox, "Run checks unprotected; recorded in every line")
      ->group(group);
}

void add_output_options(CLI::App& command, EvalArguments& a) {
  const char* group = "Results";
  command.add_option("--out", a.out, "Result lines, written as bugs finish")
      ->required()
      ->type_name("FILE")
      ->group(group);
  CLI::Option* resume =
      command.add_flag("--resume", a.resume, "Go on: skip instances that have a line")
          ->group(group);
  command.add_flag("--retry-infra", a.retry_infra, "With --resume: run INFRA_ERROR lines again")
      ->needs(resume)
      ->group(group);
  command.add_option("--details", a.details, "Whole results as JSON: DIR/<instance id>.json")
      ->type_name("DIR")
      ->group(group);
  command.add_flag("--json", a.json, "Tables at the end as JSON")->group(group);
}

}  // namespace

void add_eval_command(CLI::App& app, EvalProgram program) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* eval = app.add_subcommand("eval", "Repair the historical bugs of a data set and count");
  add_input_options(*eval, *arguments);
  add_repair_options(*eval, *arguments);
  add_output_options(*eval, *arguments);
  eval->callback([arguments, program] {
    Status done = EvalCommand(*arguments, program).run();
    program.exit_code = done ? 0 : report(done.error());
  });
  app.add_subcommand("eval-one", "Repair one bug for `suture eval`")
      ->group("")
      ->callback([program] {
        Status done = eval_one(program);
        program.exit_code = done ? 0 : report(done.error());
      });
}

}  // namespace suture
