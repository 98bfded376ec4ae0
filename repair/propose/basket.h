#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "repair/propose/provider.h"

namespace suture {

/// Collects ingredients, each text once with its best weight.
class Basket {
 public:
  void add(std::string text, double weight) {
    if (text.empty() || weight <= 0) return;
    auto [at, added] = weights_.try_emplace(text, weight);
    if (added)
      order_.push_back(std::move(text));
    else
      at->second = std::max(at->second, weight);
  }
  void drop(const std::string& text) {
    weights_.erase(text);
    std::erase(order_, text);
  }
  /// Best first; equal weights in the order of arrival.
  std::vector<Ingredient> take() const {
    std::vector<Ingredient> all;
    for (const std::string& text : order_) all.push_back({text, std::min(weights_.at(text), 1.0)});
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.weight > b.weight; });
    return all;
  }

 private:
  std::map<std::string, double> weights_;
  std::vector<std::string> order_;
};

}  // namespace suture
