#include "repair/rivals.h"

#include <algorithm>

namespace suture {
namespace {

bool is_costly(Verdict verdict, Tier tier) {
  return verdict == Verdict::kPassed ||
         (tier != Tier::kSplit && verdict != Verdict::kPatchRejected);
}

}  // namespace

RivalSearch::RivalSearch(const RivalBounds& bounds, Clock& clock)
    : bounds_(bounds), clock_(clock), started_(clock.now()) {}

void RivalSearch::begin(double score) {
  Clock::TimePoint now = clock_.now();
  Clock::TimePoint::duration time =
      std::max<Clock::TimePoint::duration>(bounds_.time, (now - started_) / 2);
  left_ = Left{bounds_.candidates, bounds_.costly, score - bounds_.margin, now + time};
}

void RivalSearch::count(Verdict verdict, Tier tier) {
  if (!left_) return;
  if (left_->candidates > 0) --left_->candidates;
  if (is_costly(verdict, tier) && left_->costly > 0) --left_->costly;
}

bool RivalSearch::is_over(double best) const {
  return left_ && (left_->candidates == 0 || left_->costly == 0 || best < left_->lowest_score ||
                   clock_.now() >= left_->until);
}

}  // namespace suture
