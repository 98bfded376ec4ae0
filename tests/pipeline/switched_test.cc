#include "repair/switched.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

constexpr const char* kSource =
    "def pick(items, limit):\n"
    "    if limit and len(items) > limit:\n"
    "        items = items[:limit]\n"
    "    return [i for i in items if i]\n";

class SwitchedTest : public ::testing::Test {
 protected:
  /// A candidate that replaces the first `what` of the source.
  void add(const std::string& what, const std::string& with) {
    std::size_t at = std::string(kSource).find(what);
    ASSERT_NE(at, std::string::npos) << what;
    Candidate candidate;
    candidate.id = std::to_string(candidates_.size());
    candidate.edits["m.py"] = {
        Edit{Range{std::uint32_t(at), std::uint32_t(at + what.size())}, with}};
    candidates_.push_back(std::move(candidate));
  }

  static SwitchedCondition visited(std::vector<Verdict> verdicts) {
    SwitchedCondition condition;
    condition.kind = SwitchedCondition::Kind::kVisited;
    condition.visits = 1;
    for (Verdict verdict : verdicts) {
      ForcedOutcome forced;
      forced.verdict = verdict;
      condition.forced.push_back(forced);
    }
    return condition;
  }

  Switched note(std::vector<SwitchedCondition> answers) {
    return note_switched(candidates_, *tree_, [&](SwitchPlan plan) {
      plan_ = std::move(plan);
      SwitchReport report;
      report.able = true;
      report.conditions = answers;
      report.children = 3;
      return report;
    });
  }

  double feature(std::size_t candidate, const char* name) const {
    auto at = candidates_[candidate].features.find(name);
    return at == candidates_[candidate].features.end() ? 0 : at->second;
  }

  std::unique_ptr<SourceTree> tree_ = SourceTree::in_memory({{"m.py", kSource}});
  std::vector<Candidate> candidates_;
  SwitchPlan plan_;
};

TEST_F(SwitchedTest, NotesWhatForcingSaysOfEveryCandidateThatChangesTheCondition) {
  add("items[:limit]", "items[limit:]");
  add("len(items) > limit", "len(items) >= limit");
  add("limit and len(items) > limit", "limit");
  add("i]", "i > 0]");
  candidates_.back().edits["m.py"][0].range.end -= 1;
  candidates_.back().edits["m.py"][0].text = "i > 0";
  Switched told =
      note({visited({Verdict::kPassed}), visited({Verdict::kFailed, Verdict::kFailed})});
  ASSERT_EQ(plan_.conditions.size(), 2u) << "both candidates of one condition ask about it once";
  EXPECT_EQ(std::string(kSource).substr(plan_.conditions[0].begin,
                                        plan_.conditions[0].end - plan_.conditions[0].begin),
            "limit and len(items) > limit");
  EXPECT_EQ(told.green, 1u);
  EXPECT_EQ(told.red, 1u);
  EXPECT_EQ(told.children, 3u);
  EXPECT_EQ(feature(0, "switch_green") + feature(0, "switch_red"), 0) << "changes no condition";
  EXPECT_EQ(feature(1, "switch_green"), 1);
  EXPECT_EQ(feature(2, "switch_green"), 1);
  EXPECT_EQ(feature(3, "switch_red"), 1);
}

TEST_F(SwitchedTest, WhatCouldNotBeToldSaysNothing) {
  add("len(items) > limit", "len(items) >= limit");
  SwitchedCondition untold;
  SwitchedCondition unreached;
  unreached.kind = SwitchedCondition::Kind::kUnreached;
  for (const SwitchedCondition& answer :
       {untold, unreached, visited({}), visited({Verdict::kFailed, Verdict::kNotRun})}) {
    Switched told = note({answer});
    EXPECT_EQ(told.green + told.red, 0u);
    EXPECT_TRUE(candidates_[0].features.empty());
  }
  EXPECT_EQ(note({}).green, 0u) << "a process that cannot be held answers nothing";
}

TEST_F(SwitchedTest, WithoutConditionsNothingIsAsked) {
  add("items[:limit]", "items[limit:]");
  note({});
  EXPECT_TRUE(plan_.conditions.empty());
}

TEST_F(SwitchedTest, ACandidateOfTwoPlacesIsNoChangeOfACondition) {
  add("len(items) > limit", "len(items) >= limit");
  candidates_[0].edits["m.py"].push_back(Edit{{0, 3}, "async def"});
  EXPECT_EQ(note({visited({Verdict::kPassed})}).conditions, 0u);
}

}  // namespace
}  // namespace suture
