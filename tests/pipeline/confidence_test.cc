#include "repair/confidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "repair/base/file.h"

namespace suture {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ConfidenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto loaded = ConfidenceModel::load(SUTURE_SOURCE_DIR "/patterns/confidence.yaml");
    ASSERT_TRUE(loaded.has_value()) << loaded.error().display();
    built_in_ = std::move(*loaded);
  }

  static Candidate candidate_of(double prior) {
    Candidate candidate;
    candidate.features = {{"prior", std::log(prior)}};
    return candidate;
  }

  Confidence judge(const Candidate& candidate, const Standing& standing = {}) const {
    return judge_confidence(candidate, standing, built_in_.model);
  }
  double value(const Candidate& candidate, const Standing& standing = {}) const {
    return judge(candidate, standing).value;
  }

  ConfidenceModel built_in_;
};

TEST_F(ConfidenceTest, APatternThatIsOftenRightIsTrustedMore) {
  EXPECT_GT(value(candidate_of(0.3)), 0.7);
  EXPECT_LT(value(candidate_of(0.03), {4}), 0.3);
  for (double prior = 0.002; prior < 0.9; prior *= 1.5)
    EXPECT_LE(value(candidate_of(prior)), value(candidate_of(prior * 1.5))) << prior;
}

TEST_F(ConfidenceTest, WhatWasFoundAfterManyTriesIsLikelierChance) {
  Candidate candidate = candidate_of(0.15);
  double last = 1;
  for (int rank : {1, 2, 4, 16, 64}) {
    EXPECT_LT(value(candidate, {rank}), last);
    last = value(candidate, {rank});
  }
  EXPECT_THAT(judge(candidate, {4}).reasons, Contains(HasSubstr("3 candidates")));
}

TEST_F(ConfidenceTest, OtherTestsLiftAndRivalsLower) {
  Candidate candidate = candidate_of(0.1);
  EXPECT_GT(value(candidate, {1, 0, 1, Standing::OtherTests::kGreen}), value(candidate));
  EXPECT_LT(value(candidate, {1, 2, 0.3}), value(candidate));
  EXPECT_LT(value(candidate, {1, 2, 0.3}), value(candidate, {1, 1, 0.9}))
      << "a rival that ranking thinks little of puts it less in doubt";
  EXPECT_THAT(judge(candidate, {1, 1, 0.9}).reasons, Contains(HasSubstr("1 other candidate ")));
}

TEST_F(ConfidenceTest, SilencingIsNeverTrusted) {
  Candidate candidate = candidate_of(0.9);
  candidate.silencing = Silencing::kSwallows;
  EXPECT_LE(value(candidate), 0.1);
  EXPECT_THAT(judge(candidate).reasons.front(), HasSubstr("silence"));
  EXPECT_FALSE(is_serious(candidate));
}

TEST_F(ConfidenceTest, OnlySeriousRivalsCount) {
  EXPECT_TRUE(is_serious(candidate_of(0.2)));
  EXPECT_FALSE(is_serious(candidate_of(0.03)));
}

TEST_F(ConfidenceTest, AConditionThatAnyOtherWouldReplaceIsTrustedLess) {
  Candidate candidate = candidate_of(0.13);
  double plain = value(candidate);
  candidate.features["switch_green"] = 1;
  EXPECT_LT(value(candidate), plain);
}

TEST_F(ConfidenceTest, TheMostTellingReasonComesFirst) {
  LogisticModel model{0, {{"rank", -0.1}, {"switch_green", -2}}};
  Candidate candidate = candidate_of(0.1);
  candidate.features["switch_green"] = 1;
  EXPECT_THAT(judge_confidence(candidate, {3}, model).reasons,
              ElementsAre(HasSubstr("any condition"), HasSubstr("2 candidates")));
  EXPECT_THAT(judge_confidence(candidate, {3}, LogisticModel()).reasons, IsEmpty())
      << "what has no weight is no reason";
}

TEST_F(ConfidenceTest, EveryPieceOfEvidenceHasAMeaning) {
  std::vector<std::string> names;
  for (const auto& [name, value] : evidence_of(candidate_of(0.1), {})) names.push_back(name);
  std::vector<std::string> meant;
  for (const EvidenceMeaning& evidence : evidence_meanings()) meant.emplace_back(evidence.name);
  EXPECT_EQ(names, meant);
}

TEST_F(ConfidenceTest, AModelIsReadAsItIsWritten) {
  auto folder = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(folder.has_value());
  std::string path = (folder->path() / "confidence.yaml").string();
  ConfidenceModel model{{1.5, {{"prior", 0.25}, {"share", 1}}}, {{0.9, 0.5}, {}, {0.25}}};
  std::ofstream(path) << to_yaml(model);
  auto read = ConfidenceModel::load(path);
  ASSERT_TRUE(read.has_value()) << read.error().display();
  EXPECT_EQ(read->model.weights, model.model.weights);
  EXPECT_EQ(read->model.intercept, 1.5);
  EXPECT_EQ(read->held_out.right, model.held_out.right);
  EXPECT_THAT(read->held_out.partly, IsEmpty());
  EXPECT_EQ(to_yaml(*read), to_yaml(model));

  std::ofstream(path) << "intercept: 1\nweights: {priro: 1}\n";
  EXPECT_FALSE(ConfidenceModel::load(path).has_value()) << "no such evidence";
  std::ofstream(path) << "weights: {prior: 1}\n";
  EXPECT_FALSE(ConfidenceModel::load(path).has_value()) << "no intercept";
}

}  // namespace
}  // namespace suture
