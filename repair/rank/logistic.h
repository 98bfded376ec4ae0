#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "repair/propose/candidate.h"

namespace suture {

/// A logistic model over named features: the odds are exp(intercept + sum of weight x feature).
struct LogisticModel {
  double intercept = 0;
  std::map<std::string, double> weights;

  /// Of the positive class. A feature without a weight counts nothing.
  double probability(const Features& features) const;
};

struct LogisticSample {
  std::string group;  ///< samples of one group (a project) are never in training and test at once
  Features features;
  bool positive = false;
};

/// Maximum a-posteriori fit: weights stay near `start` as far as the samples do not tell otherwise
/// (`deviation`: the standard deviation of their prior), the intercept is free. Features without a
/// weight in `start` are left out. Deterministic.
LogisticModel fit_logistic(const std::vector<LogisticSample>& samples, const LogisticModel& start,
                           double deviation);

/// For each sample the probability under the model fitted to all other groups.
std::vector<double> predict_held_out(const std::vector<LogisticSample>& samples,
                                     const LogisticModel& start, double deviation);

}  // namespace suture
