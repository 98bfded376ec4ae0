#include "repair/rank/fit.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "repair/base/file.h"

namespace suture {
namespace {

/// Bugs whose right option is drawn by a known law: weight 2 on "a", pattern "good" worth 1.5.
std::vector<RankedBug> drawn(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1), chance(0, 1);
  std::vector<RankedBug> bugs;
  for (std::size_t n = 0; n < count; ++n) {
    RankedBug bug{std::to_string(n), "group" + std::to_string(n % 4), {}};
    std::vector<double> odds;
    double all = 0;
    for (int i = 0; i < 30; ++i) {
      RankedBug::Option option;
      option.pattern = i % 5 == 0 ? "good" : "plain";
      option.features = {{"a", value(random)}, {"noise", value(random)}};
      odds.push_back(std::exp(2 * option.features["a"] + (option.pattern == "good" ? 1.5 : 0)));
      all += odds.back();
      bug.options.push_back(std::move(option));
    }
    double pick = chance(random) * all;
    std::size_t at = 0;
    while (at + 1 < odds.size() && (pick -= odds[at]) > 0) ++at;
    bug.options[at].right = true;
    bugs.push_back(std::move(bug));
  }
  return bugs;
}

RankingWeights start() {
  RankingWeights weights;
  weights.weights = {{"a", 0}, {"noise", 0}};
  return weights;
}

TEST(FitRanking, FindsTheLawThatDrewTheRightOptions) {
  RankingWeights fitted = fit_ranking(drawn(400, 1), start(), {5, 5, 400});
  EXPECT_NEAR(fitted.weights["a"], 2, 0.3);
  EXPECT_NEAR(fitted.weights["noise"], 0, 0.2);
  EXPECT_NEAR(fitted.patterns["good"] - fitted.patterns["plain"], 1.5, 0.35);
}

TEST(FitRanking, WithoutEvidenceNothingMoves) {
  std::vector<RankedBug> bugs = drawn(20, 2);
  for (RankedBug& bug : bugs) {
    for (auto& option : bug.options) option.right = false;
  }
  RankingWeights weights = start();
  weights.weights["a"] = 0.7;
  weights.patterns["good"] = -0.4;
  RankingWeights fitted = fit_ranking(bugs, weights, {});
  EXPECT_DOUBLE_EQ(fitted.weights["a"], 0.7);
  EXPECT_DOUBLE_EQ(fitted.patterns["good"], -0.4);
}

TEST(FitRanking, ASmallDeviationKeepsItNearTheStart) {
  std::vector<RankedBug> bugs = drawn(100, 3);
  double loose = fit_ranking(bugs, start(), {5, 5, 400}).weights["a"];
  double tight = fit_ranking(bugs, start(), {0.05, 0.05, 400}).weights["a"];
  EXPECT_LT(std::abs(tight), std::abs(loose) / 2);
}

TEST(FitRanking, TheSameInputGivesTheSameWeights) {
  std::vector<RankedBug> bugs = drawn(50, 4);
  EXPECT_EQ(to_yaml(fit_ranking(bugs, start(), {})), to_yaml(fit_ranking(bugs, start(), {})));
}

TEST(RankQualityTest, RanksTheFirstRightOptionAndCountsTiesAgainstIt) {
  RankedBug bug{"b", "g", {}};
  for (double a : {3.0, 2.0, 2.0, 1.0}) bug.options.push_back({"plain", {{"a", a}}});
  bug.options[1].right = bug.options[3].right = true;
  RankingWeights weights;
  weights.weights = {{"a", 1}};
  RankQuality quality = rank_quality({bug}, weights);
  EXPECT_EQ(quality.bugs, 1u);
  EXPECT_DOUBLE_EQ(quality.median_rank, 3);
  EXPECT_DOUBLE_EQ(quality.first, 0);
  EXPECT_DOUBLE_EQ(quality.ten, 1);
  bug.options[0].silencing = true;
  EXPECT_DOUBLE_EQ(rank_quality({bug}, weights).median_rank, 2) << "silencing goes last";
}

/// Each group holds a feature that tells its own right options by chance: weights fitted on the
/// others must not know it.
TEST(CrossValidate, AGroupIsNotRankedByItsOwnBugs) {
  std::vector<RankedBug> bugs = drawn(80, 5);
  for (RankedBug& bug : bugs) {
    for (auto& option : bug.options) {
      option.features = {{"of " + bug.group, option.right ? 1.0 : 0.0}};
      option.pattern = "plain";
    }
  }
  RankingWeights none;
  none.weights = {{"a", 0}};
  RankQuality own = rank_quality(bugs, fit_ranking(bugs, none, {5, 5, 400}));
  RankQuality held_out = cross_validate(bugs, none, {5, 5, 400});
  EXPECT_DOUBLE_EQ(own.first, 1);
  EXPECT_DOUBLE_EQ(held_out.first, 0);
  EXPECT_EQ(held_out.bugs, own.bugs);
}

TEST(RankingWeightsFile, WhatIsWrittenIsRead) {
  RankingWeights weights;
  weights.weights = {{"prior", 1.25}, {"edits", -0.1}};
  weights.patterns = {{"guard-none", -0.75}, {"untouched", 0.001}};
  weights.diversity = 0.6;
  Result<TemporaryFolder> folder = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(folder);
  std::string path = (folder->path() / "ranking.yaml").string();
  std::ofstream(path) << to_yaml(weights);
  Result<RankingWeights> read = RankingWeights::load(path);
  ASSERT_TRUE(read) << read.error().display();
  EXPECT_EQ(read->weights, weights.weights);
  EXPECT_EQ(read->patterns, (std::map<std::string, double>{{"guard-none", -0.75}}));
  EXPECT_DOUBLE_EQ(read->diversity, 0.6);
}

}  // namespace
}  // namespace suture
