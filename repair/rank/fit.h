#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "repair/propose/candidate.h"
#include "repair/rank/rank.h"

namespace suture {

/// One historical bug: what was proposed for it, and which proposals are right.
struct RankedBug {
  struct Option {
    std::string pattern;
    Features features;
    bool silencing = false;
    bool right = false;
  };
  std::string id;
  std::string group;  ///< bugs of one group (a project) are never in training and test at once
  std::vector<Option> options;
};

struct FitOptions {
  /// How far a weight may go from where it starts before it costs as much as one bug: the standard
  /// deviation of its prior.
  double weight_deviation = 1.0;
  double pattern_deviation = 0.7;  ///< the same for what a pattern is worth beyond its prior
  int steps = 400;
};

/// Fits the weights, and for each pattern a correction of its prior, by maximum a-posteriori
/// likelihood of a conditional logit: the chance of an option is in proportion to exp(score) among
/// all options of its bug, and a right one is drawn. `start` is where the weights are before any
/// evidence. Bugs without a right option say nothing and are skipped. Deterministic.
RankingWeights fit_ranking(const std::vector<RankedBug>& bugs, const RankingWeights& start,
                           const FitOptions& options);

/// Where right options stand, over the bugs that have one.
struct RankQuality {
  std::size_t bugs = 0;
  double median_rank = 0;                                 ///< of the first right option, from 1
  double log_likelihood = 0;                              ///< mean over bugs
  double first = 0, ten = 0, fifty = 0, two_hundred = 0;  ///< share of bugs with one that high
};
RankQuality rank_quality(const std::vector<RankedBug>& bugs, const RankingWeights& weights);

/// The quality for bugs of each group under weights that were fitted on all other groups, taken
/// together.
RankQuality cross_validate(const std::vector<RankedBug>& bugs, const RankingWeights& start,
                           const FitOptions& options);

}  // namespace suture
