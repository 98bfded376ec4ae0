#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "repair/base/clock.h"
#include "repair/validate/tier.h"
#include "repair/validate/verdict.h"

namespace suture {

/// How far a search goes on once it has the patches that are wanted, so that it is known what else
/// passes. By default it ends at once.
struct RivalBounds {
  std::size_t candidates = 0;  ///< so many more are looked at
  /// So many of them may cost as much as fresh runs: those that pass, and those that no warm
  /// process of the split tier serves.
  std::size_t costly = 0;
  /// Candidates with a score lower than that of the patch by more are improbable: none is looked
  /// at.
  double margin = 0;
  /// Not longer than this, or half of the time that the search took until then where that is more.
  std::chrono::milliseconds time{0};
};

/// Tells when a search that has a patch knows enough of its rivals. Counts candidates, and looks at
/// the clock only between them and only as the last bound, so that where the others end the search
/// a job ends at the same candidate each time.
class RivalSearch {
 public:
  RivalSearch(const RivalBounds& bounds, Clock& clock);

  bool begun() const { return left_.has_value(); }
  /// There is a patch of this score.
  void begin(double score);
  /// What was found puts the patch in doubt: the search is for a patch again.
  void give_up() { left_.reset(); }
  /// A candidate was looked at. Says nothing before begin().
  void count(Verdict verdict, Tier tier);
  /// `best`: the score of the best candidate that was not looked at.
  bool is_over(double best) const;

 private:
  struct Left {
    std::size_t candidates = 0, costly = 0;
    double lowest_score = 0;
    Clock::TimePoint until;
  };

  const RivalBounds bounds_;
  Clock& clock_;
  Clock::TimePoint started_;
  std::optional<Left> left_;
};

}  // namespace suture
