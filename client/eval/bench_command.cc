#include "client/eval/bench_command.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "client/eval/bench_report.h"
#include "client/eval/bench_validate.h"
#include "client/eval/eval_options.h"

namespace suture {
namespace {

struct BenchArguments {
  EvalArguments input;
  BenchOptions options;
};

/// Measures bugs in their order, several at once, until as many as wanted were measured.
class BenchCommand {
 public:
  BenchCommand(const BenchArguments& arguments, const EvalProgram& program)
      : arguments_(arguments), program_(program) {}

  Status run() {
    TRY(setup_, setup_of(arguments_.input));
    TRY(DataSet data, load_dataset(arguments_.input.dataset));
    // A bug that cannot be measured gives its place to the next one of the sample's order.
    Selection all = selection_of(arguments_.input);
    if (all.sample) all.sample = data.instances.size();
    TRY(instances_, select(std::move(data.instances), all));
    TRY_STATUS(checks_are_given(instances_, setup_));
    TRY(knowledge_, load_knowledge(setup_.patterns));
    wanted_ = arguments_.input.sample > 0 ? arguments_.input.sample : instances_.size();
    figures_.resize(instances_.size());

    std::vector<std::thread> workers;
    for (int i = 0; i < arguments_.input.jobs; ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    show();  // what was measured before an interruption is worth having
    if (error_) return tl::unexpected<Error>(*error_);
    return {};
  }

 private:
  void work() {
    while (std::optional<std::size_t> index = next()) {
      const Instance& instance = instances_[*index];
      Result<BugFigures> figures = bench_bug(instance.id, make_task(instance, setup_), knowledge_,
                                             arguments_.options, program_.global.cancel);
      std::lock_guard lock(mutex_);
      if (!figures) {
        if (!error_) error_ = figures.error();
        return;
      }
      finished(*index, std::move(*figures));
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
  void finished(std::size_t index, BugFigures figures) {
    --running_;
    measured_ += figures.left_out.empty();
    if (program_.global.verbosity != Verbosity::kQuiet) {
      std::cerr << fmt::format(
          "{}/{} {}: {}\n", measured_, wanted_, figures.id,
          figures.left_out.empty()
              ? fmt::format("{} candidates, split {:.0f}x, preload {:.1f}x", figures.candidates,
                            figures.ratio(Tier::kSplit), figures.ratio(Tier::kPreload))
              : figures.left_out);
    }
    figures_[index] = std::move(figures);
  }

  void show() {
    std::vector<BugFigures> bugs;
    for (std::optional<BugFigures>& each : figures_) {
      if (each) bugs.push_back(std::move(*each));
    }
    std::cout << (arguments_.input.json ? to_json(bugs).dump(2) + "\n" : to_text(bugs))
              << std::flush;
  }

  const BenchArguments& arguments_;
  const EvalProgram& program_;
  EvalSetup setup_;
  Knowledge knowledge_;
  std::vector<Instance> instances_;
  std::size_t wanted_ = 0;
  std::mutex mutex_;  ///< guards all below
  std::size_t next_ = 0, measured_ = 0, running_ = 0;
  std::vector<std::optional<BugFigures>> figures_;
  std::optional<Error> error_;
};

}  // namespace

void add_bench_command(CLI::App& app, EvalProgram program) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* bench = app.add_subcommand("bench", "Measure parts of suture on real bugs");
  bench->require_subcommand(1);
  CLI::App* validate =
      bench->add_subcommand("validate", "Fast tiers against fresh runs: speed and agreement");
  add_input_options(*validate, arguments->input);
  const char* group = "Measurement";
  validate
      ->add_option("--candidates", arguments->options.candidates, "Of each bug, best ranked first")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group(group);
  validate
      ->add_option("--importing", arguments->options.module,
                   "Only bugs whose check imports this module")
      ->type_name("MODULE")
      ->group(group);
  arguments->input.jobs = 1;
  validate->add_option("--jobs", arguments->input.jobs, "Bugs at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->group(group);
  validate->add_flag("--json", arguments->input.json, "Figures as JSON")->group(group);
  validate->callback([arguments, program] {
    Status done = BenchCommand(*arguments, program).run();
    if (!done) std::cerr << "suture bench: " << done.error().display() << "\n";
    program.exit_code = done ? 0 : exit_code_of(done.error().kind);
  });
}

}  // namespace suture
