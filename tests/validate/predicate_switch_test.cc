#include "repair/validate/predicate_switch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/validate/executor_fixture.h"

namespace suture {
namespace {

using namespace std::chrono_literals;

/// A package whose conditions are forced, in the sandbox of a real interpreter.
class PredicateSwitchTest : public testing::ExecutorFixture {
 protected:
  static constexpr const char* kModule =
      "class Shop:\n"
      "    def price(self, count):\n"
      "        if count > 9:\n"
      "            return 8\n"
      "        return 10 if count else 0\n"
      "\n"
      "    def never(self, x):\n"
      "        return 1 if x is None else 2\n"
      "\n"
      "def cheap(prices):\n"
      "    for price in prices:\n"
      "        if price < 5:\n"
      "            yield price\n";

  void SetUp() override {
    options_.environment = base_environment(SUTURE_PYTHON, {});
    testing::write(tree_ / "shop.py", kModule);
    check_.command = {"python3", "check.py"};
    check_.timeout = 60s;
  }

  static ConditionPlace place(const std::string& text) {
    std::size_t at = std::string(kModule).find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return {"shop.py", at, at + text.size()};
  }

  SwitchReport force(const std::string& check, std::vector<ConditionPlace> conditions) {
    testing::write(tree_ / "check.py", check);
    SwitchPlan plan;
    plan.conditions = std::move(conditions);
    plan.child_timeout = 20s;
    plan.jobs = 2;
    return switch_predicates(plan, check_, tree_, executor(), CancelToken());
  }
};

TEST_F(PredicateSwitchTest, TellsWhatTurnsTheCheckGreen) {
  SwitchReport report = force("import shop\nassert shop.Shop().price(9) == 8\n",
                              {place("count > 9"), place("x is None")});
  ASSERT_TRUE(report.able) << report.reason;
  const SwitchedCondition& wrong = report.conditions[0];
  EXPECT_EQ(wrong.kind, SwitchedCondition::Kind::kVisited) << wrong.reason;
  EXPECT_EQ(wrong.visits, 1);
  EXPECT_EQ(wrong.came_true, 0);
  ASSERT_NE(wrong.green(), nullptr);
  EXPECT_TRUE(wrong.green()->outcome);
  EXPECT_EQ(wrong.green()->visit, 0);
  EXPECT_FALSE(wrong.settled());
  EXPECT_EQ(report.conditions[1].kind, SwitchedCondition::Kind::kUnreached);
  EXPECT_EQ(report.children, 1u);
}

/// A held process is asked twice, and serves candidates as well.
TEST_F(PredicateSwitchTest, AsksAProcessThatIsHeld) {
  testing::write(tree_ / "check.py", "import shop\nassert shop.Shop().price(9) == 8\n");
  WarmPlan warm;
  warm.child_timeout = warm.start_timeout = 20s;
  HeldProcess held(warm, check_, tree_, executor());
  SwitchPlan plan;
  plan.conditions = {place("count > 9"), place("x is None")};
  for (int time = 0; time < 2; ++time) {
    SwitchReport report = switch_predicates(plan, held, CancelToken());
    ASSERT_TRUE(report.able) << report.reason;
    ASSERT_NE(report.conditions[0].green(), nullptr);
    EXPECT_EQ(report.conditions[1].kind, SwitchedCondition::Kind::kUnreached);
  }
  std::size_t at = place("count > 9").begin;
  std::vector<WarmAnswer> answers;
  WarmEnd end = held.serve(
      {{4, {{"shop.py", {{at, at + 9, "count > 8"}}}}}},
      [&](const WarmAnswer& answer) { answers.push_back(answer); }, CancelToken());
  EXPECT_TRUE(end.able) << end.reason;
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].verdict, Verdict::kPassed);
}

/// What one question cannot be answered does not end the process.
TEST_F(PredicateSwitchTest, AQuestionThatFailsLeavesTheProcessHeld) {
  testing::write(tree_ / "check.py", "import shop\nassert shop.Shop().price(9) == 10\n");
  WarmPlan warm;
  warm.child_timeout = warm.start_timeout = 20s;
  HeldProcess held(warm, check_, tree_, executor());
  SwitchPlan plan;
  plan.conditions = {place("count > 9")};
  SwitchReport report = switch_predicates(plan, held, CancelToken());
  EXPECT_FALSE(report.able);
  EXPECT_EQ(report.reason, "the check passes");
  EXPECT_TRUE(held.is_held(CancelToken()));
}

TEST_F(PredicateSwitchTest, KnowsWhenNoChangeOfAConditionHelps) {
  SwitchReport report =
      force("import shop\nassert shop.Shop().price(9) == 7\n", {place("count > 9")});
  const SwitchedCondition& condition = report.conditions[0];
  EXPECT_EQ(condition.green(), nullptr);
  EXPECT_TRUE(condition.settled());
}

TEST_F(PredicateSwitchTest, ForcesOneVisitOfMany) {
  SwitchReport report =
      force("import shop\nassert list(shop.cheap([1, 6, 7, 5])) == [1, 5]\n", {place("price < 5")});
  const SwitchedCondition& condition = report.conditions[0];
  EXPECT_EQ(condition.visits, 4);
  EXPECT_EQ(condition.came_true, 1);
  ASSERT_NE(condition.green(), nullptr);
  EXPECT_TRUE(condition.green()->outcome);
  EXPECT_EQ(condition.green()->visit, 4);
  EXPECT_FALSE(condition.settled());
}

TEST_F(PredicateSwitchTest, WorksUnderPytest) {
  testing::write(tree_ / "test_shop.py",
                 "import shop\ndef test_price():\n    assert shop.Shop().price(9) == 8\n");
  check_.command = {"python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shop.py"};
  SwitchReport report = force("", {place("count > 9")});
  ASSERT_TRUE(report.able) << report.reason;
  EXPECT_NE(report.conditions[0].green(), nullptr);
}

TEST_F(PredicateSwitchTest, SaysWhyItCannot) {
  SwitchReport report = force("import shop\nassert shop.Shop().price(9) == 8\n",
                              {{"shop.py", 0, 5}, place("count > 9")});
  EXPECT_EQ(report.conditions[0].kind, SwitchedCondition::Kind::kUntold);
  EXPECT_FALSE(report.conditions[0].reason.empty());
  EXPECT_NE(report.conditions[1].green(), nullptr);

  check_.command = {"sh", "-c", "exit 1"};
  report = force("", {place("count > 9")});
  EXPECT_FALSE(report.able);
  EXPECT_FALSE(report.reason.empty());
}

TEST_F(PredicateSwitchTest, RefusesACheckThatPasses) {
  SwitchReport report =
      force("import shop\nassert shop.Shop().price(9) == 10\n", {place("count > 9")});
  EXPECT_FALSE(report.able);
  EXPECT_EQ(report.reason, "the check passes");
}

}  // namespace
}  // namespace suture
