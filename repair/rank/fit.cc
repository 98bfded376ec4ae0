#include "repair/rank/fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace suture {
namespace {

/// A sum of named parameters: features first, then patterns.
class Parameters {
 public:
  Parameters(const std::vector<RankedBug>& bugs, const RankingWeights& start) {
    for (const auto& [name, weight] : start.weights) add("w " + name, weight);
    for (const RankedBug& bug : bugs) {
      for (const RankedBug::Option& option : bug.options) {
        auto known = start.patterns.find(option.pattern);
        add("p " + option.pattern, known == start.patterns.end() ? 0 : known->second);
        for (const auto& [name, value] : option.features) add("w " + name, 0);
      }
    }
    start_ = values;
  }

  /// Index of a feature's weight or of a pattern's correction.
  std::size_t feature(const std::string& name) const { return indices_.at("w " + name); }
  std::size_t pattern(const std::string& id) const { return indices_.at("p " + id); }
  double from_start(std::size_t index) const { return values[index] - start_[index]; }
  bool is_pattern(std::size_t index) const { return names_[index][0] == 'p'; }

  RankingWeights weights(const RankingWeights& start) const {
    RankingWeights out = start;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::string name = names_[i].substr(2);
      (is_pattern(i) ? out.patterns : out.weights)[name] = values[i];
    }
    return out;
  }

  std::vector<double> values;

 private:
  void add(const std::string& name, double value) {
    if (!indices_.emplace(name, values.size()).second) return;
    names_.push_back(name);
    values.push_back(value);
  }

  std::map<std::string, std::size_t> indices_;
  std::vector<std::string> names_;
  std::vector<double> start_;
};

/// An option as indices into the parameters.
struct Row {
  std::vector<std::pair<std::size_t, double>> terms;
  bool right = false;
};

using Table = std::vector<Row>;

bool is_telling(const RankedBug& bug) {
  return std::ranges::any_of(bug.options, [](const auto& option) { return option.right; });
}

std::vector<Table> tables_of(const std::vector<RankedBug>& bugs, const Parameters& parameters) {
  std::vector<Table> tables;
  for (const RankedBug& bug : bugs) {
    if (!is_telling(bug)) continue;
    Table table;
    for (const RankedBug::Option& option : bug.options) {
      if (option.silencing) continue;  // these go last whatever their score is
      Row row{{{parameters.pattern(option.pattern), 1.0}}, option.right};
      for (const auto& [name, value] : option.features) {
        if (value != 0) row.terms.emplace_back(parameters.feature(name), value);
      }
      table.push_back(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

/// Adds the gradient of the log-likelihood of one bug.
void add_gradient(const Table& table, const std::vector<double>& values,
                  std::vector<double>& gradient) {
  std::vector<double> scores(table.size());
  double highest = -1e300;
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (auto [index, value] : table[i].terms) scores[i] += values[index] * value;
    highest = std::max(highest, scores[i]);
  }
  double all = 0, right = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    scores[i] = std::exp(scores[i] - highest);
    all += scores[i];
    if (table[i].right) right += scores[i];
  }
  if (right <= 0) return;
  for (std::size_t i = 0; i < table.size(); ++i) {
    double pull = (table[i].right ? scores[i] / right : 0) - scores[i] / all;
    for (auto [index, value] : table[i].terms) gradient[index] += pull * value;
  }
}

/// Rank of the first right option (ties count against it), and the log-likelihood of the right
/// ones.
std::pair<std::size_t, double> standing(const RankedBug& bug, const RankingWeights& weights) {
  double best = -1e300, highest = -1e300, all = 0, right = 0;
  std::vector<double> scores;
  for (const RankedBug::Option& option : bug.options) {
    scores.push_back(option.silencing ? -1e300
                                      : score_of(option.features, option.pattern, weights));
    highest = std::max(highest, scores.back());
    if (option.right) best = std::max(best, scores.back());
  }
  std::size_t rank = 1;
  bool itself = true;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    all += std::exp(scores[i] - highest);
    if (bug.options[i].right) right += std::exp(scores[i] - highest);
    if (scores[i] < best) continue;
    if (bug.options[i].right && itself && scores[i] == best) {
      itself = false;
    } else if (!bug.options[i].right) {
      ++rank;
    }
  }
  return {rank, std::log(std::max(right / all, 1e-12))};
}

class Standings {
 public:
  void add(const RankedBug& bug, const RankingWeights& weights) {
    if (!is_telling(bug)) return;
    auto [rank, likelihood] = standing(bug, weights);
    ranks_.push_back(rank);
    likelihood_ += likelihood;
  }

  RankQuality quality() {
    RankQuality quality;
    quality.bugs = ranks_.size();
    if (ranks_.empty()) return quality;
    std::sort(ranks_.begin(), ranks_.end());
    double count = double(ranks_.size());
    quality.median_rank =
        (double(ranks_[(ranks_.size() - 1) / 2]) + double(ranks_[ranks_.size() / 2])) / 2;
    quality.log_likelihood = likelihood_ / count;
    auto within = [&](std::size_t rank) {
      return double(std::ranges::upper_bound(ranks_, rank) - ranks_.begin()) / count;
    };
    quality.first = within(1);
    quality.ten = within(10);
    quality.fifty = within(50);
    quality.two_hundred = within(200);
    return quality;
  }

 private:
  std::vector<std::size_t> ranks_;
  double likelihood_ = 0;
};

}  // namespace

RankingWeights fit_ranking(const std::vector<RankedBug>& bugs, const RankingWeights& start,
                           const FitOptions& options) {
  Parameters parameters(bugs, start);
  std::vector<Table> tables = tables_of(bugs, parameters);
  std::size_t count = parameters.values.size();
  // Adam: steps of a size that does not depend on the scale of a parameter.
  std::vector<double> first(count), second(count), gradient(count);
  for (int step = 1; step <= options.steps; ++step) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const Table& table : tables) add_gradient(table, parameters.values, gradient);
    double rate = 0.1 / std::sqrt(double(step));
    for (std::size_t i = 0; i < count; ++i) {
      double deviation =
          parameters.is_pattern(i) ? options.pattern_deviation : options.weight_deviation;
      gradient[i] -= parameters.from_start(i) / (deviation * deviation);
      first[i] = 0.9 * first[i] + 0.1 * gradient[i];
      second[i] = 0.999 * second[i] + 0.001 * gradient[i] * gradient[i];
      double mean = first[i] / (1 - std::pow(0.9, step));
      double spread = std::sqrt(second[i] / (1 - std::pow(0.999, step)));
      parameters.values[i] += rate * mean / (spread + 1e-8);
    }
  }
  return parameters.weights(start);
}

RankQuality rank_quality(const std::vector<RankedBug>& bugs, const RankingWeights& weights) {
  Standings standings;
  for (const RankedBug& bug : bugs) standings.add(bug, weights);
  return standings.quality();
}

RankQuality cross_validate(const std::vector<RankedBug>& bugs, const RankingWeights& start,
                           const FitOptions& options) {
  std::set<std::string> groups;
  for (const RankedBug& bug : bugs) groups.insert(bug.group);
  Standings standings;
  for (const std::string& group : groups) {
    std::vector<RankedBug> others;
    for (const RankedBug& bug : bugs) {
      if (bug.group != group) others.push_back(bug);
    }
    RankingWeights weights = fit_ranking(others, start, options);
    for (const RankedBug& bug : bugs) {
      if (bug.group == group) standings.add(bug, weights);
    }
  }
  return standings.quality();
}

}  // namespace suture
