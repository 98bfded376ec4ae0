#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/locate/location.h"
#include "repair/locate/statements.h"
#include "repair/locate/weights.h"

namespace suture {

/// Collects clues against statements and weighs them. Per role the best clue counts; over roles the
/// best clue counts and the others close a part of its gap to 1, so that many weak clues never beat
/// a strong one by number.
class Suspects {
 public:
  explicit Suspects(const Weights& weights) : weights_(weights) {}

  /// A clue against a statement; a score of 0 or less is none. `frame`: distance of its frame, or
  /// -1.
  void add(const StatementIndex& index, int statement, Role role, double score,
           std::string_view reason, int frame = -1);
  /// A clue against a line of a file that cannot be parsed.
  void add_line(const std::string& file, int line, Role role, double score, std::string_view reason,
                int frame = -1);
  bool empty() const { return entries_.empty(); }

  /// Best first; ties by file and line.
  std::vector<Location> ranked(std::size_t limit) const;

 private:
  struct Clue {
    double score = 0;
    std::string reason;
  };
  struct Entry {
    int end_line = 0;
    std::string function;
    int frame = -1;
    std::map<Role, Clue> clues;
  };
  struct Key {
    std::string file;
    int line = 0;
    auto operator<=>(const Key&) const = default;
  };
  Entry& entry(const std::string& file, int line);
  void add_clue(Entry& entry, Role role, double score, std::string_view reason, int frame);
  double combined(const Entry& entry) const;

  const Weights& weights_;
  std::map<Key, Entry> entries_;
};

}  // namespace suture
