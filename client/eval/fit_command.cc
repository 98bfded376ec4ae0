#include "client/eval/fit_command.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "client/eval/eval_options.h"
#include "client/eval/ranked_bugs.h"
#include "repair/base/file.h"
#include "repair/rank/fit.h"

namespace suture {
namespace {

struct FitArguments {
  std::string details, labels, out;
  std::string start = (share_folder("patterns") / "ranking.yaml").string();
  FitOptions options;
  bool json = false;
};

nlohmann::json to_json(const RankQuality& quality) {
  return {{"bugs", quality.bugs},
          {"median_rank", quality.median_rank},
          {"first", quality.first},
          {"ten", quality.ten},
          {"fifty", quality.fifty},
          {"two_hundred", quality.two_hundred},
          {"log_likelihood", quality.log_likelihood}};
}

std::string row(const char* name, const RankQuality& quality) {
  return fmt::format("{:<28} {:>5} {:>8.1f} {:>7.1f} {:>7.1f} {:>7.1f} {:>7.1f} {:>8.2f}\n", name,
                     quality.bugs, quality.median_rank, 100 * quality.first, 100 * quality.ten,
                     100 * quality.fifty, 100 * quality.two_hundred, quality.log_likelihood);
}

Status run(const FitArguments& arguments) {
  TRY(RankingWeights start, RankingWeights::load(arguments.start));
  TRY(std::vector<RankedBug> bugs, read_ranked_bugs(arguments.details, arguments.labels));
  RankQuality before = rank_quality(bugs, start);
  if (before.bugs == 0)
    return fail(ErrorKind::kBadInput, "no bug has a right candidate",
                "record candidates with `suture eval --details DIR` and label the right ones");
  RankingWeights fitted = fit_ranking(bugs, start, arguments.options);
  RankQuality after = rank_quality(bugs, fitted);
  RankQuality held_out = cross_validate(bugs, start, arguments.options);
  if (!arguments.out.empty()) TRY_STATUS(write_file_atomically(arguments.out, to_yaml(fitted)));
  if (arguments.json) {
    nlohmann::json figures = {{"before", to_json(before)},
                              {"fitted", to_json(after)},
                              {"held_out", to_json(held_out)},
                              {"weights", fitted.weights},
                              {"patterns", fitted.patterns}};
    std::cout << figures.dump(2) << "\n";
    return {};
  }
  std::cout << fmt::format("{:<28} {:>5} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8}\n", "", "bugs",
                           "median", "1st %", "10 %", "50 %", "200 %", "log-lik.")
            << row("as it was", before) << row("fitted", after)
            << row("fitted on other groups", held_out)
            << "\nRank of the first right candidate, over bugs that have one.\n";
  return {};
}

}  // namespace

void add_fit_command(CLI::App& app, EvalProgram program) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* fit = app.add_subcommand("fit", "Fit the ranking to recorded candidates");
  fit->add_option("--details", arguments->details, "Folder that `suture eval --details` wrote")
      ->required()
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  fit->add_option("--labels", arguments->labels,
                  R"(JSON lines {"instance_id", "group", "right": [candidate ids]})")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  fit->add_option("--start", arguments->start, "Weights before any evidence")
      ->capture_default_str()
      ->type_name("FILE");
  fit->add_option("--out", arguments->out, "Where to write the fitted weights")->type_name("FILE");
  fit->add_option("--weight-deviation", arguments->options.weight_deviation,
                  "How far a feature's weight is expected to move")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  fit->add_option("--pattern-deviation", arguments->options.pattern_deviation,
                  "The same for what a pattern is worth beyond its prior")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  fit->add_flag("--json", arguments->json, "Figures and weights as JSON");
  fit->footer(
      "Bugs of one group are never in training and test at once.\n"
      "Example:\n"
      "  suture eval --dataset bugs.jsonl ... --details run\n"
      "  suture fit --details run --labels right.jsonl --out ranking.yaml");
  fit->callback([arguments, program] {
    Status done = run(*arguments);
    if (!done) std::cerr << "suture fit: " << done.error().display() << "\n";
    program.exit_code = done ? 0 : exit_code_of(done.error().kind);
  });
}

}  // namespace suture
