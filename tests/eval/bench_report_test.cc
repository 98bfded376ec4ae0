#include "client/eval/bench_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

using testing::HasSubstr;

/// Ten candidates, 2 s each afresh; split serves eight of them, two unreached, 0.02 s each.
BugFigures fast_bug() {
  BugFigures bug;
  bug.id = "fast";
  bug.candidates = 10;
  bug.fresh_seconds = 2;
  TierFigures& split = bug.tiers[Tier::kSplit];
  split.served = 8;
  split.unreached = 2;
  split.seconds = 0.12;
  split.equal = 7;
  split.accepted = 2;
  split.equally_accepted = 1;
  split.refusals = {{"edits an import", 2}};
  TierFigures& preload = bug.tiers[Tier::kPreload];
  preload.served = 10;
  preload.seconds = 4;
  preload.equal = 10;
  bug.disagreements = {
      {"0123456789abcdef", "a summary", Tier::kSplit, Verdict::kPassed, Verdict::kFailed}};
  return bug;
}

/// Served by no fast tier.
BugFigures slow_bug() {
  BugFigures bug;
  bug.id = "slow";
  bug.candidates = 10;
  bug.fresh_seconds = 3;
  bug.tiers[Tier::kSplit].unable = "starts processes";
  bug.tiers[Tier::kPreload].unable = "starts processes";
  return bug;
}

BugFigures left_out() {
  BugFigures bug;
  bug.id = "gone";
  bug.left_out = "NOT_REPRODUCED";
  return bug;
}

TEST(BugFiguresTest, RatioCountsWhatWasReallyRun) {
  EXPECT_DOUBLE_EQ(fast_bug().ratio(Tier::kSplit), 2 / (0.12 / 6));
  EXPECT_DOUBLE_EQ(fast_bug().ratio(Tier::kPreload), 5);
  EXPECT_DOUBLE_EQ(fast_bug().best_ratio(), 100);
  EXPECT_DOUBLE_EQ(slow_bug().ratio(Tier::kSplit), 0);
  EXPECT_DOUBLE_EQ(slow_bug().best_ratio(), 1) << "fresh serves everything";
}

TEST(BenchReport, JsonHasTheKeysThatScriptsRead) {
  auto json = to_json({fast_bug(), slow_bug(), left_out()});
  EXPECT_DOUBLE_EQ(json["split_ratio_median"], 100) << "over the bugs that it serves";
  EXPECT_DOUBLE_EQ(json["preload_ratio_median"], 5);
  EXPECT_DOUBLE_EQ(json["overall_ratio_median"], 50.5) << "over all that were measured";
  EXPECT_DOUBLE_EQ(json["split_served"], 0.4);
  EXPECT_DOUBLE_EQ(json["split_bugs_served"], 0.5);
  EXPECT_DOUBLE_EQ(json["agreement_accepted"], 0.5);
  EXPECT_DOUBLE_EQ(json["agreement_all"], 17.0 / 18);
  ASSERT_EQ(json["per_bug"].size(), 3u);
  EXPECT_EQ(json["per_bug"][2]["left_out"], "NOT_REPRODUCED");
}

TEST(BenchReport, TextNamesRefusalsAndDisagreements) {
  std::string text = to_text({fast_bug(), slow_bug(), left_out()});
  EXPECT_THAT(text, HasSubstr("20 candidates of 2 bugs"));
  EXPECT_THAT(text, HasSubstr("edits an import"));
  EXPECT_THAT(text, HasSubstr("(whole check) starts processes"));
  EXPECT_THAT(text, HasSubstr("fast 0123456789ab: PASSED in split, FAILED afresh: a summary"));
  EXPECT_THAT(text, HasSubstr("left out: gone: NOT_REPRODUCED"));
}

TEST(BenchReport, NothingMeasuredIsNoDivisionByZero) {
  EXPECT_EQ(to_json({left_out()})["bugs"], 0);
  EXPECT_THAT(to_text({}), HasSubstr("0 candidates of 0 bugs"));
}

}  // namespace
}  // namespace suture
