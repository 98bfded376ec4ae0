#include "client/eval/result_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/eval/lines.h"

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> keys(const std::string& line) {
  auto fields = nlohmann::ordered_json::parse(line);
  std::vector<std::string> names;
  for (const auto& [name, value] : fields.items()) names.push_back(name);
  return names;
}

TEST(ResultLine, ComesBackAsItWas) {
  ResultLine line = full_line();
  Result<ResultLine> back = read_result_line(write_result_line(line));
  ASSERT_TRUE(back) << back.error().display();
  EXPECT_EQ(*back, line);
}

TEST(ResultLine, HasTheFieldsOfTheReadmeInItsOrder) {
  EXPECT_THAT(keys(write_result_line(plain_line("a", "NO_PATCH"))),
              ElementsAre("instance_id", "model_name_or_path", "model_patch", "withheld_patch",
                          "outcome", "confidence", "pattern", "file", "line", "seconds",
                          "own_cpu_seconds", "check_runs", "check_seconds", "candidates",
                          "plausible", "rank_first_plausible", "reason", "tiers", "fresh_seconds"));
}

TEST(ResultLine, IsOneLine) { EXPECT_THAT(write_result_line(full_line()), Not(HasSubstr("\n"))); }

TEST(ResultLine, BytesThatAreNotUtf8DoNotBreakIt) {
  ResultLine line = plain_line("a", "PATCHED");
  line.model_patch = "caf\xe9";
  Result<ResultLine> back = read_result_line(write_result_line(line));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->model_patch, "caf\xef\xbf\xbd");
}

TEST(ResultLine, NeedsIdAndOutcomeOnly) {
  Result<ResultLine> line =
      read_result_line(R"({"instance_id": "a", "outcome": "NO_PATCH", "more": {}, "line": "x"})");
  ASSERT_TRUE(line);
  EXPECT_EQ(*line, plain_line("a", "NO_PATCH"));
  EXPECT_FALSE(read_result_line(R"({"instance_id": "a"})"));
  EXPECT_FALSE(read_result_line(R"({"outcome": "NO_PATCH"})"));
  EXPECT_FALSE(read_result_line(R"({"instance_id": "a", "outcome": "NO_PA)"));
  EXPECT_FALSE(read_result_line("[]"));
  EXPECT_FALSE(read_result_line(""));
}

Proposal proposal(std::string diff, std::string pattern, double confidence) {
  Proposal made;
  made.diff = std::move(diff);
  made.confidence = confidence;
  made.candidate.pattern = std::move(pattern);
  made.candidate.location.file = "f.py";
  made.candidate.location.line = 7;
  return made;
}

TEST(ResultLineOf, Patched) {
  RepairResult result;
  result.outcome = Outcome::kPatched;
  result.proposals = {proposal("best", "p", 0.9), proposal("second", "q", 0.8)};
  result.withheld = {proposal("kept", "r", 0.1)};
  result.candidates = 30;
  result.plausible = 3;
  result.rank_first_plausible = 2;
  result.costs = {10, 6, 0.5, 8, 12};
  result.tiers = {{"fresh", 12}};
  result.weakenings = {"--no-sandbox"};
  ResultLine line = result_line_of(result);
  EXPECT_EQ(line.outcome, "PATCHED");
  EXPECT_EQ(line.model_patch, "best");
  EXPECT_EQ(line.withheld_patch, "kept");
  EXPECT_EQ(line.pattern, "p");
  EXPECT_EQ(line.file, "f.py");
  EXPECT_EQ(line.line, 7);
  EXPECT_EQ(line.confidence, 0.9);
  EXPECT_EQ(line.seconds, 10);
  EXPECT_EQ(line.own_cpu_seconds, 0.5);
  EXPECT_EQ(line.check_seconds, 8);
  EXPECT_EQ(line.check_runs, 12);
  EXPECT_EQ(line.candidates, 30);
  EXPECT_EQ(line.plausible, 3);
  EXPECT_EQ(line.rank_first_plausible, 2);
  EXPECT_EQ(line.tiers, result.tiers);
  EXPECT_EQ(line.weakenings, result.weakenings);
}

TEST(ResultLineOf, WithheldOnly) {
  RepairResult result;
  result.outcome = Outcome::kNoPatch;
  result.withheld = {proposal("kept", "r", 0.1)};
  ResultLine line = result_line_of(result);
  EXPECT_EQ(line.model_patch, "");
  EXPECT_EQ(line.withheld_patch, "kept");
  EXPECT_EQ(line.pattern, "r");
  EXPECT_EQ(line.confidence, 0.1);
}

TEST(ResultLineOf, ReasonSaysWhatWasLacking) {
  RepairResult result;
  result.reason = "no location fits";
  EXPECT_EQ(result_line_of(result).reason, "no location fits");
  result.lack = RepairResult::Lack::kPlace;
  EXPECT_EQ(result_line_of(result).reason, "place: no location fits");
  result.lack = RepairResult::Lack::kIngredient;
  EXPECT_EQ(result_line_of(result).reason, "ingredient: no location fits");
  result.lack = RepairResult::Lack::kBudget;
  EXPECT_EQ(result_line_of(result).reason, "budget: no location fits");
}

TEST(ResultLineOf, AdviceIsKept) {
  RepairResult result;
  result.outcome = Outcome::kEnvironment;
  result.advice = "pin torch<2";
  EXPECT_EQ(result_line_of(result).reason, "pin torch<2");
}

}  // namespace
}  // namespace suture
