#include "client/eval/calibrate_command.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "client/eval/eval_options.h"
#include "client/eval/read_patches.h"
#include "client/present/reliability.h"
#include "repair/base/file.h"
#include "repair/confidence.h"

namespace suture {
namespace {

struct CalibrateArguments {
  std::string details, labels, out;
  std::string start = (share_folder("patterns") / "confidence.yaml").string();
  double deviation = 0.5;
};

/// Evidence starts at nothing, save that of which no patch had any.
LogisticModel start_for(const std::vector<LogisticSample>& samples, const LogisticModel& known) {
  LogisticModel start;
  for (const auto& [name, weight] : known.weights) {
    bool seen = std::ranges::any_of(samples, [&](const LogisticSample& sample) {
      auto value = sample.features.find(name);
      return value != sample.features.end() && value->second != 0;
    });
    start.weights[name] = seen ? 0 : weight;
  }
  return start;
}

Status run(const CalibrateArguments& arguments) {
  TRY(ConfidenceModel known, ConfidenceModel::load(arguments.start));
  TRY(std::vector<ReadPatch> patches, read_patches(arguments.details, arguments.labels));
  if (patches.empty())
    return fail(ErrorKind::kBadInput, "none of the labels is for a patch of this folder",
                "record patches with `suture eval --details DIR` and label them");
  std::vector<LogisticSample> samples;
  for (const ReadPatch& patch : patches)
    samples.push_back({patch.group, patch.evidence, patch.label == ReadPatch::Label::kRight});
  LogisticModel start = start_for(samples, known.model);

  ConfidenceModel fitted{fit_logistic(samples, start, arguments.deviation), {}};
  std::vector<double> held_out = predict_held_out(samples, start, arguments.deviation);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    ConfidenceModel::HeldOut& by_label = fitted.held_out;
    switch (patches[i].label) {
      case ReadPatch::Label::kRight:
        by_label.right.push_back(held_out[i]);
        break;
      case ReadPatch::Label::kPartly:
        by_label.partly.push_back(held_out[i]);
        break;
      case ReadPatch::Label::kWrong:
        by_label.wrong.push_back(held_out[i]);
        break;
    }
  }
  std::cout << reliability_tables(fitted.held_out);
  if (!arguments.out.empty()) TRY_STATUS(write_file_atomically(arguments.out, to_yaml(fitted)));
  return {};
}

}  // namespace

void add_calibrate_command(CLI::App& app, EvalProgram program) {
  auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* calibrate = app.add_subcommand("calibrate", "Fit confidence to patches that were read");
  calibrate
      ->add_option("--details", arguments->details, "Folder that `suture eval --details` wrote")
      ->required()
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  calibrate
      ->add_option(
          "--labels", arguments->labels,
          R"(JSON lines {"instance_id", "group", "candidate", "label": right|partly|wrong})")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  calibrate->add_option("--start", arguments->start, "Names the evidence to weigh")
      ->capture_default_str()
      ->type_name("FILE");
  calibrate->add_option("--out", arguments->out, "Where to write the model")->type_name("FILE");
  calibrate
      ->add_option("--deviation", arguments->deviation, "How far a weight is expected to be from 0")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  calibrate->footer(
      "Only a patch that is right counts as right. Patches for one group are never in training "
      "and\n"
      "test at once.\n"
      "Example:\n"
      "  suture eval --dataset bugs.jsonl ... --details run\n"
      "  suture calibrate --details run --labels read.jsonl --out confidence.yaml");
  calibrate->callback([arguments, program] {
    Status done = run(*arguments);
    if (!done) std::cerr << "suture calibrate: " << done.error().display() << "\n";
    program.exit_code = done ? 0 : exit_code_of(done.error().kind);
  });
}

}  // namespace suture
