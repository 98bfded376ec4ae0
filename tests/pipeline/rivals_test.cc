#include "repair/rivals.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

using std::chrono::seconds;

class RivalsTest : public ::testing::Test {
 protected:
  ManualClock clock_;
  RivalSearch search_{RivalBounds{3, 2, 1.0, seconds(4)}, clock_};
};

TEST_F(RivalsTest, EndsAfterSoManyCandidates) {
  search_.count(Verdict::kPassed, Tier::kSplit);
  EXPECT_FALSE(search_.begun());
  EXPECT_FALSE(search_.is_over(0));
  search_.begin(0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(search_.is_over(0));
    search_.count(Verdict::kFailed, Tier::kSplit);
  }
  EXPECT_TRUE(search_.is_over(0));
}

TEST_F(RivalsTest, EndsAfterFewerThatCostAsMuchAsFreshRuns) {
  search_.begin(0);
  search_.count(Verdict::kPassed, Tier::kSplit);
  EXPECT_FALSE(search_.is_over(0));
  search_.count(Verdict::kFailed, Tier::kFresh);
  EXPECT_TRUE(search_.is_over(0));
}

TEST_F(RivalsTest, WhatIsRejectedWithoutARunCostsNothing) {
  search_.begin(0);
  search_.count(Verdict::kPatchRejected, Tier::kFresh);
  search_.count(Verdict::kPatchRejected, Tier::kFresh);
  EXPECT_FALSE(search_.is_over(0));
}

TEST_F(RivalsTest, EndsWhereTheRestIsImprobable) {
  search_.begin(-2);
  EXPECT_FALSE(search_.is_over(-2.9));
  EXPECT_TRUE(search_.is_over(-3.1));
}

TEST_F(RivalsTest, TheClockIsTheLastBound) {
  search_.begin(0);
  clock_.advance(seconds(3));
  EXPECT_FALSE(search_.is_over(0));
  clock_.advance(seconds(1));
  EXPECT_TRUE(search_.is_over(0));
}

TEST_F(RivalsTest, ALongSearchMayGoOnForHalfOfItsTime) {
  clock_.advance(seconds(20));
  search_.begin(0);
  clock_.advance(seconds(9));
  EXPECT_FALSE(search_.is_over(0));
  clock_.advance(seconds(1));
  EXPECT_TRUE(search_.is_over(0));
}

TEST_F(RivalsTest, GivenUpItBeginsAnew) {
  search_.begin(0);
  for (int i = 0; i < 3; ++i) search_.count(Verdict::kFailed, Tier::kSplit);
  search_.give_up();
  EXPECT_FALSE(search_.begun());
  search_.begin(0);
  EXPECT_FALSE(search_.is_over(0));
}

TEST_F(RivalsTest, ByDefaultItEndsAtOnce) {
  RivalSearch none(RivalBounds(), clock_);
  none.begin(0);
  EXPECT_TRUE(none.is_over(0));
}

}  // namespace
}  // namespace suture
