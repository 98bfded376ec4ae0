#pragma once

#include <map>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/candidate.h"

namespace suture {

/// Log-linear weights over named features, as data (patterns/ranking.yaml).
struct RankingWeights {
  std::map<std::string, double> weights;
  std::map<std::string, double> patterns;  ///< id -> what it is worth beyond its prior, a logarithm
  double diversity =
      0.7;  ///< factor on the score for each earlier candidate of the same pattern and statement
  /// Errors: kBadInput with file, line and column.
  static Result<RankingWeights> load(const std::string& path);
};

/// Sum of weight x feature, and the pattern's: what candidates are ordered by before diversity.
double score_of(const Features& features, const std::string& pattern,
                const RankingWeights& weights);

/// A file that load() reads; numbers with two digits after the point.
std::string to_yaml(const RankingWeights& weights);

/// Orders candidates, best first: score = sum of weight x feature, and the pattern's, interleaved
/// so that no pattern and no place takes all early runs; silencing changes go last. Deterministic:
/// ties by id.
void rank(std::vector<Candidate>& candidates, const RankingWeights& weights);

}  // namespace suture
