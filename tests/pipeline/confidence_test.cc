#include "repair/confidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace suture {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Candidate candidate_of(double prior) {
  Candidate candidate;
  candidate.features = {{"prior", std::log(prior)}};
  return candidate;
}

double value(const Candidate& candidate, const Standing& standing = {}) {
  return judge_confidence(candidate, standing).value;
}

TEST(ConfidenceTest, APatternThatIsOftenRightIsTrustedMore) {
  EXPECT_GT(value(candidate_of(0.3)), 0.7);
  EXPECT_LT(value(candidate_of(0.03), {4}), 0.3);
  for (double prior = 0.002; prior < 0.9; prior *= 1.5)
    EXPECT_LE(value(candidate_of(prior)), value(candidate_of(prior * 1.5))) << prior;
}

TEST(ConfidenceTest, WhatWasFoundAfterManyTriesIsLikelierChance) {
  Candidate candidate = candidate_of(0.15);
  double last = 1;
  for (int rank : {1, 2, 4, 16, 64}) {
    EXPECT_LT(value(candidate, {rank}), last);
    last = value(candidate, {rank});
  }
  EXPECT_THAT(judge_confidence(candidate, {4}).reasons, Contains(HasSubstr("3 candidates")));
}

TEST(ConfidenceTest, OtherTestsLiftAndRivalsLower) {
  Candidate candidate = candidate_of(0.1);
  EXPECT_GT(value(candidate, {1, 0, Standing::OtherTests::kGreen}), value(candidate));
  EXPECT_LT(value(candidate, {1, 2}), value(candidate));
}

TEST(ConfidenceTest, SilencingIsNeverTrusted) {
  Candidate candidate = candidate_of(0.9);
  candidate.silencing = Silencing::kSwallows;
  EXPECT_LE(value(candidate), 0.1);
  EXPECT_FALSE(is_serious(candidate));
}

TEST(ConfidenceTest, OnlySeriousRivalsCount) {
  EXPECT_TRUE(is_serious(candidate_of(0.2)));
  EXPECT_FALSE(is_serious(candidate_of(0.03)));
}

TEST(ConfidenceTest, AConditionThatAnyOtherWouldReplaceIsTrustedLess) {
  Candidate candidate;
  candidate.features = {{"prior", -2.0}};
  double plain = judge_confidence(candidate, {1, 0, Standing::OtherTests::kNotRerun}).value;
  candidate.features["switch_green"] = 1;
  EXPECT_LT(judge_confidence(candidate, {1, 0, Standing::OtherTests::kNotRerun}).value, plain);
}

}  // namespace
}  // namespace suture
