#include "repair/locate/locate.h"

#include <algorithm>
#include <set>

#include "repair/locate/scene.h"

namespace suture {

std::vector<Location> locate(const LocateInput& input, std::size_t limit) {
  return locate(input, limit, kWeights);
}

std::vector<Location> locate(const LocateInput& input, std::size_t limit, const Weights& weights) {
  Scene scene(input, weights);
  suspect_frames(scene);
  suspect_failing_call(scene);
  suspect_origins(scene);
  suspect_definitions(scene);
  suspect_executed(scene);
  suspect_module_level(scene);
  suspect_swallowed(scene);
  suspect_mentioned(scene);
  return scene.suspects().ranked(limit);
}

SuspicionMap::SuspicionMap(std::vector<Location> locations) : locations_(std::move(locations)) {
  std::stable_sort(locations_.begin(), locations_.end(), [](const Location& a, const Location& b) {
    return a.suspiciousness > b.suspiciousness;
  });
  for (std::size_t at = 0; at < locations_.size(); ++at) {
    by_file_[locations_[at].file].push_back(at);
  }
}

const Location* SuspicionMap::at(const std::string& file, int line) const {
  const auto found = by_file_.find(file);
  if (found == by_file_.end()) return nullptr;
  for (const std::size_t at : found->second) {  // best first
    const Location& location = locations_[at];
    if (location.line <= line && line <= location.end_line) return &location;
  }
  return nullptr;
}

std::vector<std::string> SuspicionMap::files() const {
  std::vector<std::string> files;
  std::set<std::string_view> seen;
  for (const Location& location : locations_) {
    if (seen.insert(location.file).second) files.push_back(location.file);
  }
  return files;
}

}  // namespace suture
