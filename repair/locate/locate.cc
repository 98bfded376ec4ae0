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

namespace {
constexpr std::size_t kNone = std::size_t(-1);
}

SuspicionMap::SuspicionMap(std::vector<Location> locations) : locations_(std::move(locations)) {
  std::stable_sort(locations_.begin(), locations_.end(), [](const Location& a, const Location& b) {
    return a.suspiciousness > b.suspiciousness;
  });
  for (std::size_t at = 0; at < locations_.size(); ++at) {
    const Location& location = locations_[at];
    std::vector<std::size_t>& lines = best_[location.file];
    const std::size_t end = std::size_t(std::max(location.end_line, 0)) + 1;
    if (lines.size() < end) lines.resize(end, kNone);
    for (std::size_t line = std::size_t(std::max(location.line, 0)); line < end; ++line) {
      if (lines[line] == kNone) lines[line] = at;  // best first
    }
  }
}

const Location* SuspicionMap::at(const std::string& file, int line) const {
  const auto found = best_.find(file);
  if (found == best_.end() || line < 0 || std::size_t(line) >= found->second.size()) return nullptr;
  const std::size_t at = found->second[std::size_t(line)];
  return at == kNone ? nullptr : &locations_[at];
}

bool SuspicionMap::touches(const std::string& file, int first, int last) const {
  const auto found = best_.find(file);
  if (found == best_.end()) return false;
  const auto& lines = found->second;
  const std::size_t end = std::min(std::size_t(std::max(last, 0)) + 1, lines.size());
  for (std::size_t line = std::size_t(std::max(first, 0)); line < end; ++line) {
    if (lines[line] != kNone) return true;
  }
  return false;
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
