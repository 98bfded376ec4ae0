#include "repair/locate/called_functions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repair/base/text.h"

namespace suture {
namespace {

/// Deeper than this all are equally far away.
constexpr int kMaxDepth = 12;

/// Values that say nothing when they are equal.
bool is_trivial(const Value& value) {
  static constexpr std::string_view kTrivial[] = {"None", "True", "False", "0",  "1",   "2",
                                                  "''",   "[]",   "()",    "{}", "0.0", "1.0"};
  return std::find(std::begin(kTrivial), std::end(kTrivial), value.repr) != std::end(kTrivial);
}

bool same_value(const Value& a, const Value& b) {
  if (!a.known() || a.type != b.type) return false;
  if (!a.repr.empty() || !b.repr.empty()) return a.repr == b.repr;
  return !a.shape.empty() && a.shape == b.shape && a.dtype == b.dtype;
}

/// Python calls these itself, often, and mostly they pass on to something else.
bool is_protocol(std::string_view qualname) {
  for (const std::string_view name :
       {"__getattr__", "__getattribute__", "__setattr__", "__repr__"}) {
    if (qualname.ends_with(name)) return true;
  }
  return false;
}

class Weigher {
 public:
  explicit Weigher(Scene& scene) : scene_(scene), weights_(scene.weights()) {
    for (const CalledFunction& called : scene.evidence().called) {
      last_order_ = std::max(last_order_, called.order);
    }
  }

  WeighedFunction weigh(const CalledFunction& called) {
    WeighedFunction result;
    result.called = &called;
    result.depth = depth_of(called, 0);
    result.compared = is_compared(called, result.depth);
    double weight = result.depth < 0
                        ? weights_.unknown_caller
                        : std::pow(weights_.call_decay, std::min(result.depth, kMaxDepth));
    if (called.during_import) weight *= weights_.import_time;
    result.in_slice = in_slice(called);
    if (result.in_slice) {
      weight *= weights_.called_by_slice * std::pow(weights_.slice_decay, slice_distance(called));
    }
    if (is_protocol(called.qualname)) weight *= weights_.protocol;
    if (result.compared) weight *= weights_.returns_compared;
    weight *= 1 + (weights_.named_by_check - 1) * name_weight(called.qualname);
    weight *= std::pow(double(std::max<std::size_t>(called.lines.size(), 1)), -weights_.size_power);
    if (last_order_ > 0) {
      weight *= 1 + weights_.recency * double(called.order) / double(last_order_);
    }
    result.weight = weight;
    return result;
  }

 private:
  bool from_check(const CalledFunction& called) const {
    const auto& files = scene_.evidence().check_files;
    return std::find(files.begin(), files.end(), called.caller_file) != files.end();
  }

  /// 0 for what the check called itself; -1 when the way leads through code that was not traced.
  int depth_of(const CalledFunction& called, int steps) {
    if (from_check(called)) return 0;
    const auto known = depths_.find(&called);
    if (known != depths_.end()) return known->second;
    if (steps > kMaxDepth) return -1;
    const CalledFunction* caller =
        scene_.evidence().function_at(called.caller_file, called.caller_line);
    const int above = caller == nullptr || caller == &called ? -1 : depth_of(*caller, steps + 1);
    const int depth = above < 0 ? -1 : above + 1;
    depths_[&called] = depth;
    return depth;
  }

  bool in_slice(const CalledFunction& called) const {
    const auto lines = scene_.check().slice.find(called.caller_file);
    return lines != scene_.check().slice.end() && lines->second.contains(called.caller_line);
  }

  /// Lines of the slice after the one that called the function.
  int slice_distance(const CalledFunction& called) const {
    const auto& lines = scene_.check().slice.find(called.caller_file)->second;
    return int(std::distance(lines.upper_bound(called.caller_line), lines.end()));
  }

  bool is_compared(const CalledFunction& called, int depth) const {
    if (!called.returned) return false;
    if (is_trivial(*called.returned) && depth != 0) return false;
    const auto& operands = scene_.evidence().operands;
    return std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return same_value(*called.returned, operand.value);
    });
  }

  /// How much the check speaks of the function or its class, 0 to 1.
  double name_weight(std::string_view qualname) const {
    double best = 0;
    for (const std::string_view part : identifiers(qualname)) {
      const auto word = scene_.check().words.find(part);
      if (word != scene_.check().words.end()) best = std::max(best, word->second);
    }
    return best;
  }

  Scene& scene_;
  const Weights& weights_;
  std::int64_t last_order_ = 0;
  std::map<const CalledFunction*, int> depths_;
};

}  // namespace

std::vector<WeighedFunction> weigh_called(Scene& scene) {
  Weigher weigher(scene);
  std::vector<WeighedFunction> weighed;
  double best = 0;
  for (const CalledFunction& called : scene.evidence().called) {
    if (is_test_path(called.file)) continue;
    weighed.push_back(weigher.weigh(called));
    best = std::max(best, weighed.back().weight);
  }
  for (WeighedFunction& function : weighed) function.weight /= best;
  std::stable_sort(
      weighed.begin(), weighed.end(),
      [](const WeighedFunction& a, const WeighedFunction& b) { return a.weight > b.weight; });
  return weighed;
}

}  // namespace suture
