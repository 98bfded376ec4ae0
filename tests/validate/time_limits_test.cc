#include "repair/validate/time_limits.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

using namespace std::chrono_literals;

class TimeLimitsTest : public ::testing::Test {
 protected:
  TimeLimitsTest() { check_.timeout = 60s; }
  static CheckRun base(Verdict verdict, double seconds) {
    CheckRun run;
    run.verdict = verdict;
    run.use.wall_seconds = seconds;
    return run;
  }
  Check check_;
};

TEST_F(TimeLimitsTest, GrowWithTheTimeOfTheUnchangedCheck) {
  TimeLimits fast = time_limits(check_, base(Verdict::kFailed, 0.1));
  TimeLimits slow = time_limits(check_, base(Verdict::kFailed, 5));
  EXPECT_LT(fast.fresh, slow.fresh);
  EXPECT_LT(fast.child, slow.child);
  EXPECT_LT(slow.child, slow.fresh);
  EXPECT_GT(slow.child, 5s);
  EXPECT_FALSE(slow.base_hangs);
}

TEST_F(TimeLimitsTest, AreNeverLongerThanTheUserAllows) {
  check_.timeout = 4s;
  for (double seconds : {0.1, 3.9, 400.0}) {
    TimeLimits limits = time_limits(check_, base(Verdict::kFailed, seconds));
    EXPECT_LE(limits.fresh, 4s);
    EXPECT_LE(limits.child, 4s);
    EXPECT_LE(hang_limits(check_, seconds).fresh, 4s);
  }
}

TEST_F(TimeLimitsTest, AHeldChildHasTheRestOfTheCheckBeforeIt) {
  TimeLimits limits = time_limits(check_, base(Verdict::kFailed, 6));
  EXPECT_EQ(held_child_limit(limits, 5.5), 2s);
  EXPECT_EQ(held_child_limit(limits, 7), 1s) << "it was held later than the check ended before";
  EXPECT_EQ(held_child_limit(limits, 0), limits.child);
}

TEST_F(TimeLimitsTest, OfAHangAreTheUsersUntilItsSpeedIsKnown) {
  TimeLimits unknown = time_limits(check_, base(Verdict::kTimedOut, 60));
  EXPECT_EQ(unknown.fresh, 60s);
  EXPECT_EQ(unknown.child, 60s);
  EXPECT_TRUE(unknown.base_hangs);
  TimeLimits known = hang_limits(check_, 2);
  EXPECT_LT(known.fresh, 30s);
  EXPECT_LT(known.child, known.fresh);
  EXPECT_TRUE(known.base_hangs);
}

}  // namespace
}  // namespace suture
