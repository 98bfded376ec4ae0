#include "repair/rank/logistic.h"

#include <cmath>
#include <set>

namespace suture {
namespace {

constexpr int kMostSteps = 2'000;
constexpr double kSmallStep = 1e-7;
/// The intercept is where the samples want it: its prior is wide.
constexpr double kInterceptDeviation = 10;

/// Samples and parameters in a row each, the intercept first.
class Fit {
 public:
  Fit(const std::vector<LogisticSample>& samples, const LogisticModel& start, double deviation)
      : start_{start.intercept}, deviations_{kInterceptDeviation} {
    for (const auto& [name, weight] : start.weights) {
      start_.push_back(weight);
      deviations_.push_back(deviation);
    }
    for (const LogisticSample& sample : samples) {
      std::vector<double> row{1};
      for (const auto& [name, weight] : start.weights) {
        auto value = sample.features.find(name);
        row.push_back(value == sample.features.end() ? 0 : value->second);
      }
      rows_.push_back(std::move(row));
      positive_.push_back(sample.positive);
    }
  }

  /// Newton's method, a parameter at a time: the function has one maximum.
  std::vector<double> run() {
    std::vector<double> values = start_;
    for (int step = 0; step < kMostSteps; ++step) {
      double farthest = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        double by = newton_step(values, i);
        values[i] += by;
        farthest = std::max(farthest, std::abs(by));
      }
      if (farthest < kSmallStep) break;
    }
    return values;
  }

 private:
  double newton_step(const std::vector<double>& values, std::size_t at) const {
    double precision = 1 / (deviations_[at] * deviations_[at]);
    double gradient = (start_[at] - values[at]) * precision, curvature = precision;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      double odds = 0;
      for (std::size_t i = 0; i < values.size(); ++i) odds += values[i] * rows_[n][i];
      double chance = 1 / (1 + std::exp(-odds));
      gradient += rows_[n][at] * ((positive_[n] ? 1 : 0) - chance);
      curvature += rows_[n][at] * rows_[n][at] * chance * (1 - chance);
    }
    return gradient / curvature;
  }

  std::vector<double> start_, deviations_;
  std::vector<std::vector<double>> rows_;
  std::vector<bool> positive_;
};

}  // namespace

double LogisticModel::probability(const Features& features) const {
  double odds = intercept;
  for (const auto& [name, weight] : weights) {
    auto value = features.find(name);
    if (value != features.end()) odds += weight * value->second;
  }
  return 1 / (1 + std::exp(-odds));
}

LogisticModel fit_logistic(const std::vector<LogisticSample>& samples, const LogisticModel& start,
                           double deviation) {
  std::vector<double> values = Fit(samples, start, deviation).run();
  LogisticModel fitted;
  fitted.intercept = values[0];
  std::size_t at = 1;
  for (const auto& [name, weight] : start.weights) fitted.weights[name] = values[at++];
  return fitted;
}

std::vector<double> predict_held_out(const std::vector<LogisticSample>& samples,
                                     const LogisticModel& start, double deviation) {
  std::set<std::string> groups;
  for (const LogisticSample& sample : samples) groups.insert(sample.group);
  std::vector<double> predicted(samples.size());
  for (const std::string& group : groups) {
    std::vector<LogisticSample> others;
    for (const LogisticSample& sample : samples) {
      if (sample.group != group) others.push_back(sample);
    }
    LogisticModel model = fit_logistic(others, start, deviation);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i].group == group) predicted[i] = model.probability(samples[i].features);
    }
  }
  return predicted;
}

}  // namespace suture
