#include "repair/locate/suspects.h"

#include <algorithm>

namespace suture {
namespace {

/// Reasons are for people: the strongest few, not the whole account.
constexpr std::size_t kMaxReasons = 4;

}  // namespace

Suspects::Entry& Suspects::entry(const std::string& file, int line) {
  return entries_[Key{file, line}];
}

void Suspects::add(const StatementIndex& index, int statement, Role role, double score,
                   std::string_view reason, int frame) {
  if (statement < 0 || score <= 0) return;
  const Statement& at = index[statement];
  Entry& found = entry(index.file().path(), at.line);
  if (found.end_line == 0) {
    found.end_line = at.end_line;
    found.function = index.qualname(statement);
  }
  add_clue(found, role, score, reason, frame);
}

void Suspects::add_line(const std::string& file, int line, Role role, double score,
                        std::string_view reason, int frame) {
  if (line <= 0 || score <= 0) return;
  Entry& found = entry(file, line);
  found.end_line = std::max(found.end_line, line);
  add_clue(found, role, score, reason, frame);
}

void Suspects::add_clue(Entry& entry, Role role, double score, std::string_view reason, int frame) {
  Clue& clue = entry.clues[role];
  if (score > clue.score) clue = {std::min(score, 1.0), std::string(reason)};
  if (frame >= 0 && (entry.frame < 0 || frame < entry.frame)) entry.frame = frame;
}

double Suspects::combined(const Entry& entry) const {
  double best = 0;
  for (const auto& [role, clue] : entry.clues) best = std::max(best, clue.score);
  double gap = 1 - best;
  bool best_seen = false;
  for (const auto& [role, clue] : entry.clues) {
    if (clue.score == best && !best_seen) {
      best_seen = true;
    } else {
      gap *= 1 - weights_.several_clues * clue.score;
    }
  }
  return 1 - gap;
}

std::vector<Location> Suspects::ranked(std::size_t limit) const {
  std::vector<Location> locations;
  locations.reserve(entries_.size());
  for (const auto& [key, entry] : entries_) {
    Location location;
    location.file = key.file;
    location.line = key.line;
    location.end_line = entry.end_line;
    location.function = entry.function;
    location.suspiciousness = combined(entry);
    location.frame = entry.frame;
    std::vector<const Clue*> clues;
    for (const auto& [role, clue] : entry.clues) {
      location.roles.add(role);
      clues.push_back(&clue);
    }
    std::stable_sort(clues.begin(), clues.end(),
                     [](const Clue* a, const Clue* b) { return a->score > b->score; });
    for (const Clue* clue : clues) {
      const auto& said = location.reasons;
      if (said.size() < kMaxReasons &&
          std::find(said.begin(), said.end(), clue->reason) == said.end()) {
        location.reasons.push_back(clue->reason);
      }
    }
    locations.push_back(std::move(location));
  }
  // entries_ is ordered by file and line: a stable sort keeps that order for ties.
  std::stable_sort(locations.begin(), locations.end(), [](const Location& a, const Location& b) {
    return a.suspiciousness > b.suspiciousness;
  });
  if (locations.size() > limit) locations.resize(limit);
  return locations;
}

}  // namespace suture
