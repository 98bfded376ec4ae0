#include "client/eval/bench_command.h"

#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "client/eval/bench_report.h"
#include "client/eval/bench_switch.h"
#include "client/eval/bench_validate.h"
#include "client/eval/eval_options.h"

namespace suture {
namespace {

/// What is done with each bug: its figures of one kind, and how they are shown.
template <class Figures>
struct Measurement {
  std::function<Result<Figures>(const std::string& id, const RepairTask& task)> measure;
  std::function<std::string(const Figures&)> line;  ///< of one that was measured
};

/// Measures bugs in their order, several at once, until as many as wanted were measured.
template <class Figures>
class BenchCommand {
 public:
  BenchCommand(const EvalArguments& arguments, const EvalProgram& program)
      : arguments_(arguments), program_(program) {}

  const EvalSetup& setup() const { return setup_; }

  Status prepare() {
    TRY(setup_, setup_of(arguments_));
    TRY(DataSet data, load_dataset(arguments_.dataset));
    // A bug that cannot be measured gives its place to the next one of the sample's order.
    Selection all = selection_of(arguments_);
    if (all.sample) all.sample = data.instances.size();
    TRY(instances_, select(std::move(data.instances), all));
    return checks_are_given(instances_, setup_);
  }

  Status run(const Measurement<Figures>& measurement) {
    wanted_ = arguments_.sample > 0 ? arguments_.sample : instances_.size();
    figures_.resize(instances_.size());
    std::vector<std::thread> workers;
    for (int i = 0; i < arguments_.jobs; ++i)
      workers.emplace_back([this, &measurement] { work(measurement); });
    for (std::thread& worker : workers) worker.join();
    show();  // what was measured before an interruption is worth having
    if (error_) return tl::unexpected<Error>(*error_);
    return {};
  }

 private:
  void work(const Measurement<Figures>& measurement) {
    while (std::optional<std::size_t> index = next()) {
      const Instance& instance = instances_[*index];
      Result<Figures> figures = measurement.measure(instance.id, make_task(instance, setup_));
      std::lock_guard lock(mutex_);
      if (!figures) {
        if (!error_) error_ = figures.error();
        return;
      }
      finished(*index, std::move(*figures), measurement);
    }
  }

  std::optional<std::size_t> next() {
    std::lock_guard lock(mutex_);
    bool enough = measured_ + running_ >= wanted_;
    if (error_ || enough || next_ >= instances_.size()) return std::nullopt;
    ++running_;
    return next_++;
  }

  /// The mutex is held.
  void finished(std::size_t index, Figures figures, const Measurement<Figures>& measurement) {
    --running_;
    measured_ += figures.left_out.empty();
    if (program_.global.verbosity != Verbosity::kQuiet) {
      std::cerr << fmt::format(
          "{}/{} {}: {}\n", measured_, wanted_, figures.id,
          figures.left_out.empty() ? measurement.line(figures) : figures.left_out);
    }
    figures_[index] = std::move(figures);
  }

  void show() {
    std::vector<Figures> bugs;
    for (std::optional<Figures>& each : figures_) {
      if (each) bugs.push_back(std::move(*each));
    }
    std::cout << (arguments_.json ? to_json(bugs).dump(2) + "\n" : to_text(bugs)) << std::flush;
  }

  const EvalArguments& arguments_;
  const EvalProgram& program_;
  EvalSetup setup_;
  std::vector<Instance> instances_;
  std::size_t wanted_ = 0;
  std::mutex mutex_;  ///< guards all below
  std::size_t next_ = 0, measured_ = 0, running_ = 0;
  std::vector<std::optional<Figures>> figures_;
  std::optional<Error> error_;
};

struct ValidateArguments {
  EvalArguments input;
  BenchOptions options;
};

struct SwitchArguments {
  EvalArguments input;
  SwitchOptions options;
};

constexpr const char* kGroup = "Measurement";

void end(const Status& done, const EvalProgram& program) {
  if (!done) std::cerr << "suture bench: " << done.error().display() << "\n";
  program.exit_code = done ? 0 : exit_code_of(done.error().kind);
}

/// The options of every measurement.
void add_bench_options(CLI::App& command, EvalArguments& input) {
  add_input_options(command, input);
  input.jobs = 1;
  command.add_option("--jobs", input.jobs, "Bugs at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->group(kGroup);
  command.add_flag("--json", input.json, "Figures as JSON")->group(kGroup);
}

Status bench_validate(const ValidateArguments& arguments, const EvalProgram& program) {
  BenchCommand<BugFigures> command(arguments.input, program);
  TRY_STATUS(command.prepare());
  TRY(Knowledge knowledge, load_knowledge(command.setup().patterns));
  return command.run(
      {[&](const std::string& id, const RepairTask& task) {
         return bench_bug(id, task, knowledge, arguments.options, program.global.cancel);
       },
       [](const BugFigures& figures) {
         return fmt::format("{} candidates, split {:.0f}x, preload {:.1f}x", figures.candidates,
                            figures.ratio(Tier::kSplit), figures.ratio(Tier::kPreload));
       }});
}

Status bench_switch(const SwitchArguments& arguments, const EvalProgram& program) {
  BenchCommand<BugSwitches> command(arguments.input, program);
  TRY_STATUS(command.prepare());
  return command.run({[&](const std::string& id, const RepairTask& task) {
                        return switch_bug(id, task, arguments.options, program.global.cancel);
                      },
                      [](const BugSwitches& bug) {
                        return fmt::format("{} conditions, {} children, {} green", bug.reached(),
                                           bug.report.children, bug.green());
                      }});
}

void add_validate(CLI::App& bench, const EvalProgram& program) {
  auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* validate =
      bench.add_subcommand("validate", "Fast tiers against fresh runs: speed and agreement");
  add_bench_options(*validate, arguments->input);
  validate
      ->add_option("--candidates", arguments->options.candidates, "Of each bug, best ranked first")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group(kGroup);
  validate
      ->add_option("--importing", arguments->options.module,
                   "Only bugs whose check imports this module")
      ->type_name("MODULE")
      ->group(kGroup);
  validate->callback([arguments, program] { end(bench_validate(*arguments, program), program); });
}

void add_switch(CLI::App& bench, const EvalProgram& program) {
  auto arguments = std::make_shared<SwitchArguments>();
  CLI::App* switching = bench.add_subcommand(
      "switch", "Predicate switching: which conditions turn the check green when forced");
  add_bench_options(*switching, arguments->input);
  switching
      ->add_option("--children", arguments->options.most_children, "Forced outcomes of each bug")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group(kGroup);
  switching
      ->add_option("--visits", arguments->options.single_visits,
                   "Single visits tried of each value that a condition gives")
      ->capture_default_str()
      ->check(CLI::Range(0, 4))
      ->type_name("N")
      ->group(kGroup);
  switching->callback([arguments, program] { end(bench_switch(*arguments, program), program); });
}

}  // namespace

void add_bench_command(CLI::App& app, EvalProgram program) {
  CLI::App* bench = app.add_subcommand("bench", "Measure parts of suture on real bugs");
  bench->require_subcommand(1);
  add_validate(*bench, program);
  add_switch(*bench, program);
}

}  // namespace suture
