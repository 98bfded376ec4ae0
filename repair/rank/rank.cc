#include "repair/rank/rank.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

#include "repair/base/file.h"

namespace suture {
namespace {

bool better(const Candidate& a, const Candidate& b) {
  bool silent_a = a.silencing != Silencing::kNo, silent_b = b.silencing != Silencing::kNo;
  if (silent_a != silent_b) return silent_b;
  if (a.score != b.score) return a.score > b.score;
  return a.id < b.id;
}

}  // namespace

double score_of(const Features& features, const std::string& pattern,
                const RankingWeights& weights) {
  double score = 0;
  for (const auto& [name, value] : features) {
    auto at = weights.weights.find(name);
    if (at != weights.weights.end()) score += at->second * value;
  }
  auto own = weights.patterns.find(pattern);
  return own == weights.patterns.end() ? score : score + own->second;
}

Result<RankingWeights> RankingWeights::load(const std::string& path) {
  TRY(std::string text, read_file(path));
  RankingWeights weights;
  try {
    YAML::Node root = YAML::Load(text);
    for (const auto& entry : root["weights"]) {
      weights.weights[entry.first.as<std::string>()] = entry.second.as<double>();
    }
    for (const auto& entry : root["patterns"]) {
      weights.patterns[entry.first.as<std::string>()] = entry.second.as<double>();
    }
    if (root["diversity"]) weights.diversity = root["diversity"].as<double>();
  } catch (const YAML::Exception& e) {
    return fail(ErrorKind::kBadInput, e.msg,
                "weights: {feature: number}, patterns: {id: number}, diversity: number",
                SourcePos{path, e.mark.line + 1, e.mark.column + 1});
  }
  if (weights.weights.empty())
    return fail(ErrorKind::kBadInput, fmt::format("{} has no weights", path));
  return weights;
}

std::string to_yaml(const RankingWeights& weights) {
  std::string text =
      "# Written by `suture fit`. Score = sum of weight x feature, and the pattern's.\nweights:\n";
  for (const auto& [name, weight] : weights.weights)
    text += fmt::format("  {}: {:.2f}\n", name, weight);
  text += "# What a pattern is worth beyond its prior.\npatterns:\n";
  for (const auto& [id, worth] : weights.patterns) {
    if (std::abs(worth) >= 0.005) text += fmt::format("  {}: {:.2f}\n", id, worth);
  }
  return text +
         fmt::format(
             "# Factor on the score for each earlier candidate of the same pattern and statement.\n"
             "diversity: {}\n",
             weights.diversity);
}

void rank(std::vector<Candidate>& candidates, const RankingWeights& weights) {
  for (Candidate& candidate : candidates)
    candidate.score = score_of(candidate.features, candidate.pattern, weights);
  std::sort(candidates.begin(), candidates.end(), better);
  // Each further candidate of one pattern at one statement is worth a little less than the last:
  // the first try of another idea comes before the tenth of this one.
  std::map<std::string, int> same_idea, same_statement;
  for (Candidate& candidate : candidates) {
    std::string place = fmt::format("{}:{}", candidate.location.file, candidate.location.line);
    int ideas = same_idea[candidate.pattern + "@" + place]++, tries = same_statement[place]++;
    candidate.score += std::log(weights.diversity) * (ideas + 0.15 * tries);
  }
  std::sort(candidates.begin(), candidates.end(), better);
}

}  // namespace suture
