#include "client/eval/budget.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

using std::chrono::milliseconds;

TEST(Budget, Durations) {
  EXPECT_EQ(parse_duration("60").value(), milliseconds(60'000));
  EXPECT_EQ(parse_duration(" 60 s ").value(), milliseconds(60'000));
  EXPECT_EQ(parse_duration("0.5s").value(), milliseconds(500));
  EXPECT_EQ(parse_duration("1500ms").value(), milliseconds(1500));
  EXPECT_EQ(parse_duration("2m").value(), milliseconds(120'000));
  EXPECT_EQ(parse_duration("1h").value(), milliseconds(3'600'000));
}

TEST(Budget, BadDurations) {
  for (const char* text : {"", "s", "0", "-1s", "nan", "inf", "1x", "1e99", "60 s s", "0.0001s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Budget, RunsAndTime) {
  Budget time = parse_budget("60s").value();
  EXPECT_EQ(time.time, milliseconds(60'000));
  EXPECT_EQ(time.check_runs, std::nullopt);
  Budget runs = parse_budget("40 runs").value();
  EXPECT_EQ(runs.time, std::nullopt);
  EXPECT_EQ(runs.check_runs, 40);
  Budget both = parse_budget("1run, 2m").value();
  EXPECT_EQ(both.time, milliseconds(120'000));
  EXPECT_EQ(both.check_runs, 1);
}

TEST(Budget, BadBudgets) {
  for (const char* text :
       {"", "runs", "0 runs", "1.5 runs", "60s, 60s", "4 runs, 5 runs", "60s,"}) {
    Result<Budget> budget = parse_budget(text);
    ASSERT_FALSE(budget) << text;
    EXPECT_EQ(budget.error().kind, ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace suture
