#include "client/eval/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "repair/base/digest.h"
#include "repair/base/text.h"

namespace suture {

std::vector<Instance> sample(std::vector<Instance> instances, std::size_t size,
                             std::uint64_t seed) {
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    order.emplace_back(sha256(fmt::format("{}:{}", seed, instances[i].id)), i);
  }
  std::sort(order.begin(), order.end());
  order.resize(std::min(size, order.size()));
  std::vector<Instance> chosen;
  chosen.reserve(order.size());
  for (const auto& [digest, index] : order) chosen.push_back(std::move(instances[index]));
  return chosen;
}

Result<std::vector<Instance>> select(std::vector<Instance> instances, const Selection& selection) {
  if (!selection.ids.empty()) {
    std::set<std::string> wanted(selection.ids.begin(), selection.ids.end());
    std::erase_if(instances, [&](const Instance& i) { return !wanted.contains(i.id); });
    for (const Instance& instance : instances) wanted.erase(instance.id);
    if (!wanted.empty()) {
      return fail(ErrorKind::kNotFound, fmt::format("the data set has no instance {}",
                                                    join({wanted.begin(), wanted.end()}, ", ")));
    }
  }
  if (selection.sample) return sample(std::move(instances), *selection.sample, selection.seed);
  return instances;
}

}  // namespace suture
