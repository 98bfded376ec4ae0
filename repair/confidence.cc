#include "repair/confidence.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "repair/base/file.h"

namespace suture {
namespace {

/// Below it patterns differ in how often they pass, not in how often they are right then.
constexpr double kLowestPrior = -5;
constexpr double kUsuallyRight = -1.3;
constexpr double kSeldomRight = -2.6;
/// More than this much of the evidence fits.
constexpr double kMadeToFit = 0.9;
constexpr double kMostOfSilencing = 0.1;

double feature(const Candidate& candidate, const char* name) {
  auto at = candidate.features.find(name);
  return at == candidate.features.end() ? 0 : at->second;
}

/// What a piece of evidence says to people; empty where it says nothing worth telling.
std::string in_words(std::string_view name, double value, const Standing& standing) {
  if (name == "prior" && value > kUsuallyRight)
    return "a pattern that is usually right where it passes";
  if (name == "prior" && value < kSeldomRight) return "a pattern that is seldom right by itself";
  if (name == "fit" && value > kMadeToFit) return "it was made to fit values of this very run";
  if (name == "switch_green" && value > 0)
    return "any condition that comes out otherwise there passes";
  if (name == "rank" && value > 0)
    return fmt::format("{} candidates were tried before it", standing.rank - 1);
  if (name == "share" && standing.rivals > 0)
    return fmt::format("{} other candidate{} the check as well", standing.rivals,
                       standing.rivals == 1 ? " passes" : "s pass");
  if (name == "other_tests" && value > 0) return "other tests around the edited code still pass";
  return "";
}

}  // namespace

Result<ConfidenceModel> ConfidenceModel::load(const std::string& path) {
  TRY(std::string text, read_file(path));
  ConfidenceModel loaded;
  try {
    YAML::Node root = YAML::Load(text);
    loaded.model.intercept = root["intercept"].as<double>();
    for (const auto& entry : root["weights"])
      loaded.model.weights[entry.first.as<std::string>()] = entry.second.as<double>();
    if (YAML::Node held_out = root["held_out"]) {
      loaded.held_out = {held_out["right"].as<std::vector<double>>(),
                         held_out["partly"].as<std::vector<double>>(),
                         held_out["wrong"].as<std::vector<double>>()};
    }
  } catch (const YAML::Exception& e) {
    return fail(ErrorKind::kBadInput, e.msg,
                "intercept: number, weights: {evidence: number}, "
                "held_out: {right: [numbers], partly: [], wrong: []}",
                SourcePos{path, e.mark.line + 1, e.mark.column + 1});
  }
  for (const auto& [name, weight] : loaded.model.weights) {
    if (std::ranges::find(evidence_meanings(), name, &EvidenceMeaning::name) ==
        evidence_meanings().end())
      return fail(ErrorKind::kBadInput, fmt::format("there is no evidence `{}`", name), "",
                  SourcePos{path, 1, 1});
  }
  return loaded;
}

std::string to_yaml(const ConfidenceModel& model) {
  std::string text = fmt::format(
      "# How sure suture is that a patch is right: a logistic model (repair/confidence.h), written "
      "by\n# `suture calibrate`. CONFIDENCE.md tells how well it did.\nintercept: "
      "{:.2f}\nweights:\n",
      model.model.intercept);
  for (const EvidenceMeaning& evidence : evidence_meanings()) {
    auto weight = model.model.weights.find(std::string(evidence.name));
    if (weight != model.model.weights.end())
      text += fmt::format("  {}: {:.2f}  # {}\n", evidence.name, weight->second, evidence.meaning);
  }
  return text + fmt::format(
                    "# Confidences of patches that were read, each under a fit to other projects, "
                    "by what they are.\nheld_out:\n  right: [{:.2f}]\n  partly: [{:.2f}]\n  wrong: "
                    "[{:.2f}]\n",
                    fmt::join(model.held_out.right, ", "), fmt::join(model.held_out.partly, ", "),
                    fmt::join(model.held_out.wrong, ", "));
}

const std::vector<EvidenceMeaning>& evidence_meanings() {
  static const std::vector<EvidenceMeaning> meanings{
      {"fit", "how much of what the pattern asks for was seen in the run of the check"},
      {"other_tests", "1 when other tests that execute the edited code still pass"},
      {"prior", "log of how often the pattern is right for this kind of failure, -5 at least"},
      {"rank", "log, base 2, of the candidate's rank"},
      {"share", "log of its share of the chance that ranking gives to all candidates that pass"},
      {"switch_green",
       "1 when the check passes with the edited condition forced to come out "
       "otherwise"},
  };
  return meanings;
}

Features evidence_of(const Candidate& candidate, const Standing& standing) {
  return {{"fit", feature(candidate, "fit")},
          {"other_tests", standing.other_tests == Standing::OtherTests::kGreen ? 1 : 0},
          {"prior", std::max(feature(candidate, "prior"), kLowestPrior)},
          {"rank", std::log2(std::max(1, standing.rank))},
          {"share", std::log(standing.share)},
          {"switch_green", feature(candidate, "switch_green")}};
}

bool is_serious(const Candidate& candidate) {
  return candidate.silencing == Silencing::kNo && feature(candidate, "prior") >= kSeldomRight;
}

Confidence judge_confidence(const Candidate& candidate, const Standing& standing,
                            const LogisticModel& model) {
  Features evidence = evidence_of(candidate, standing);
  Confidence confidence;
  confidence.value = std::clamp(model.probability(evidence), 0.02, 0.95);
  std::vector<std::pair<double, std::string>> told;
  for (const auto& [name, value] : evidence) {
    auto weight = model.weights.find(name);
    if (weight == model.weights.end()) continue;
    if (std::string words = in_words(name, value, standing); !words.empty())
      told.emplace_back(-std::abs(weight->second * value), std::move(words));
  }
  std::ranges::stable_sort(told, {}, &std::pair<double, std::string>::first);
  if (candidate.silencing != Silencing::kNo) {
    confidence.value = std::min(confidence.value, kMostOfSilencing);
    confidence.reasons.push_back("it may only silence the check");
  }
  for (auto& [telling, words] : told) confidence.reasons.push_back(std::move(words));
  return confidence;
}

}  // namespace suture
