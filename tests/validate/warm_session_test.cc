#include "repair/validate/warm_session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>

#include "repair/validate/screen.h"
#include "tests/process/traces.h"
#include "tests/validate/executor_fixture.h"

namespace suture {
namespace {

using namespace std::chrono_literals;

// -- splices ---------------------------------------------------------------------------------

std::string spliced(std::string base, const Splice& splice) {
  return base.replace(splice.begin, splice.end - splice.begin, splice.text);
}

TEST(SpliceTest, IsTheSmallestOne) {
  Splice splice = splice_between("a = f(x)\n", "a = f(x, y)\n");
  EXPECT_EQ(splice.begin, 7u);
  EXPECT_EQ(splice.end, 7u);
  EXPECT_EQ(splice.text, ", y");
}

TEST(SpliceTest, NeverCutsACharacter) {
  // Both differ in the last byte of the same three: e2 82 ac and e2 82 a1.
  Splice splice = splice_between("x = '\xe2\x82\xac'", "x = '\xe2\x82\xa1'");
  EXPECT_EQ(splice.text, "\xe2\x82\xa1");
  splice = splice_between("'\xe2\x82\xac'", "'\xc3\xac'");
  EXPECT_EQ(splice.text, "\xc3\xac");
}

TEST(SpliceTest, PropertyTurnsTheBaseIntoTheEdited) {
  const std::vector<std::string> texts = {"",
                                          "a",
                                          "aa",
                                          "aba",
                                          "abab",
                                          "b",
                                          "a\xe2\x82\xac",
                                          "\xe2\x82\xac\xe2\x82\xac",
                                          "\n\n",
                                          "\xc3\xac",
                                          "a\xc3\xac"
                                          "b"};
  for (const std::string& base : texts) {
    for (const std::string& edited : texts) {
      EXPECT_EQ(spliced(base, splice_between(base, edited)), edited) << base << " -> " << edited;
    }
  }
}

TEST(SplicesTest, OneForEachRunOfChangedLines) {
  std::vector<Splice> splices = splices_between("f(1)\nx\ny\nf(2)", "f(1, a)\nx\nz\ny\nf(3)");
  ASSERT_EQ(splices.size(), 3u);
  EXPECT_EQ(splices[0].text, ", a");
  EXPECT_EQ(splices[0].begin, 3u);
  EXPECT_EQ(splices[1].text, "z\n");
  EXPECT_EQ(splices[2].text, "3");
}

TEST(SplicesTest, PropertyTurnTheBaseIntoTheEdited) {
  const std::vector<std::string> lines = {"a\n", "b\n", "\n", "a", "\xe2\x82\xac\n"};
  std::vector<std::string> texts = {""};
  for (const std::string& one : lines) {
    for (const std::string& two : lines) {
      for (const std::string& three : lines) texts.push_back(one + two + three);
    }
  }
  for (const std::string& base : texts) {
    for (const std::string& edited : texts) {
      std::string made = base;
      std::vector<Splice> splices = splices_between(base, edited);
      for (auto each = splices.rbegin(); each != splices.rend(); ++each)
        made = spliced(made, *each);
      ASSERT_EQ(made, edited) << base << " -> " << edited;
    }
  }
}

// -- sessions ----------------------------------------------------------------------------------

/// A package with one wrong function, in the sandbox of a real interpreter.
class WarmSessionTest : public testing::ExecutorFixture {
 protected:
  void SetUp() override {
    options_.environment = base_environment(SUTURE_PYTHON, {});
    testing::write(tree_ / "shop.py", kModule);
    testing::write(tree_ / "check.py",
                   "import shop\nassert shop.total([2, 3]) == 5, shop.total([2, 3])\n");
    check_.command = {"python3", "check.py"};
    check_.timeout = 60s;
  }

  /// A candidate that puts `to` where `from` is in shop.py.
  WarmCandidate candidate(std::size_t index, const std::string& from, const std::string& to) {
    std::string base = kModule;
    std::size_t at = base.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return {index, {{"shop.py", {{at, at + from.size(), to}}}}};
  }

  WarmEnd serve(Tier tier, std::vector<WarmCandidate> candidates,
                std::vector<std::string> modules = {}) {
    WarmPlan plan;
    plan.tier = tier;
    plan.candidates = std::move(candidates);
    plan.modules = std::move(modules);
    plan.child_timeout = 20s;
    answers_.clear();
    return run_warm_session(
        plan, check_, tree_, executor(),
        [&](const WarmAnswer& answer) { answers_[answer.index] = answer; }, CancelToken());
  }

  static constexpr const char* kModule =
      "import decimal\n"
      "\n"
      "START = 1\n"
      "\n"
      "\n"
      "def total(items):\n"
      "    result = START\n"
      "    for item in items:\n"
      "        result += item\n"
      "    return result\n"
      "\n"
      "\n"
      "def unused(items):\n"
      "    return max(items)\n";

  std::map<std::size_t, WarmAnswer> answers_;
};

TEST_F(WarmSessionTest, SplitTellsVerdictsOfFunctionBodies) {
  WarmEnd end = serve(
      Tier::kSplit,
      {candidate(4, "result = START", "result = 0"), candidate(5, "result = START", "result = 2"),
       candidate(6, "result = START", "import os; os.abort()"),
       candidate(7, "max(items)", "min(items)"), candidate(8, "START = 1", "START = 0")});
  ASSERT_TRUE(end.able) << end.reason << end.output;
  ASSERT_EQ(answers_.size(), 5u);
  EXPECT_EQ(answers_[4].verdict, Verdict::kPassed);
  EXPECT_EQ(answers_[5].verdict, Verdict::kFailed);
  EXPECT_EQ(answers_[5].code, 1);
  EXPECT_EQ(answers_[6].verdict, Verdict::kCrashed);
  EXPECT_EQ(answers_[7].kind, WarmAnswer::Kind::kUnreached);
  EXPECT_EQ(answers_[8].kind, WarmAnswer::Kind::kRefused);
  EXPECT_NE(std::find(end.modules.begin(), end.modules.end(), "decimal"), end.modules.end());
}

TEST_F(WarmSessionTest, WhatCannotBehaveDifferentlyIsNotRun) {
  // START is 1.
  serve(Tier::kSplit,
        {candidate(3, "result = START", "result = 0"), candidate(4, "result = START", "result = 1"),
         candidate(5, "result = START", "result = START - 1")});
  EXPECT_EQ(answers_[3].kind, WarmAnswer::Kind::kVerdict);
  EXPECT_EQ(answers_[3].verdict, Verdict::kPassed);
  EXPECT_EQ(answers_[4].kind, WarmAnswer::Kind::kAlike);
  EXPECT_EQ(answers_[4].verdict, Verdict::kFailed);
  EXPECT_EQ(answers_[4].reason, "behaves as the original at every visit");
  EXPECT_EQ(answers_[5].kind, WarmAnswer::Kind::kAlike);
  EXPECT_EQ(answers_[5].verdict, Verdict::kPassed);
  EXPECT_EQ(answers_[5].reason, "same values as candidate 4 at every visit");
}

TEST_F(WarmSessionTest, PreloadServesWhatIsOutsideFunctions) {
  WarmEnd end =
      serve(Tier::kPreload,
            {candidate(0, "START = 1", "START = 0"), candidate(1, "START = 1", "START = 3"),
             candidate(2, "result = START", "result = 0")},
            {"decimal"});
  ASSERT_TRUE(end.able) << end.reason << end.output;
  EXPECT_EQ(answers_[0].verdict, Verdict::kPassed);
  EXPECT_EQ(answers_[1].verdict, Verdict::kFailed);
  EXPECT_EQ(answers_[2].verdict, Verdict::kPassed);
}

TEST_F(WarmSessionTest, AHungChildIsKilledAlone) {
  WarmPlan plan;
  plan.candidates = {candidate(0, "result = START", "while True: pass"),
                     candidate(1, "result = START", "result = 0")};
  plan.child_timeout = 1s;
  std::map<std::size_t, Verdict> verdicts;
  run_warm_session(
      plan, check_, tree_, executor(),
      [&](const WarmAnswer& answer) { verdicts[answer.index] = answer.verdict; }, CancelToken());
  EXPECT_EQ(verdicts[0], Verdict::kTimedOut);
  EXPECT_EQ(verdicts[1], Verdict::kPassed);
}

TEST_F(WarmSessionTest, ACheckThatIsNoPythonIsNotServed) {
  check_.command = {"sh", "-c", "exit 1"};
  WarmEnd end = serve(Tier::kSplit, {candidate(0, "START = 1", "START = 0")});
  EXPECT_FALSE(end.able);
  EXPECT_FALSE(end.reason.empty());
  EXPECT_TRUE(answers_.empty());
}

TEST_F(WarmSessionTest, ABaseRunThatHangsEndsTheSession) {
  testing::write(tree_ / "check.py",
                 "import shop\nshop.total([1])\nimport time\ntime.sleep(600)\n");
  WarmPlan plan;
  plan.candidates = {candidate(0, "result = START", "raise ValueError"),
                     candidate(1, "max(items)", "min(items)")};
  plan.child_timeout = plan.start_timeout = 1s;
  std::set<std::size_t> answered;
  run_warm_session(
      plan, check_, tree_, executor(), [&](const WarmAnswer& a) { answered.insert(a.index); },
      CancelToken());
  EXPECT_EQ(answered, (std::set<std::size_t>{0})) << "of the other nobody knows";
}

TEST_F(WarmSessionTest, CancellingEndsItAndLeavesNothing) {
  testing::write(tree_ / "check.py", "import shop, time\ntime.sleep(421.7)\n");
  WarmPlan plan;
  plan.candidates = {candidate(0, "START = 1", "START = 0")};
  auto folders = [] {
    return testing::count_entries(std::filesystem::temp_directory_path(), "suture-warm-");
  };
  std::size_t before = folders();
  CancelToken cancel;
  cancel.cancel();
  WarmEnd end = run_warm_session(
      plan, check_, tree_, executor(), [](const WarmAnswer&) {}, cancel);
  EXPECT_FALSE(end.able);
  EXPECT_TRUE(answers_.empty());
  EXPECT_EQ(folders(), before);
}

/// What the check writes to the pipe can only mislead about itself, and must not harm us.
TEST_F(WarmSessionTest, LinesOfOthersAreSurvived) {
  testing::write(tree_ / "check.py",
                 "import glob, os\n"
                 "for path in glob.glob('/tmp/**/results', recursive=True):\n"
                 "    with open(path, 'w') as pipe:\n"
                 "        pipe.write('no json\n{\"event\": 7}\n[]\n' + 'x' * 300000 + '\n')\n"
                 "        pipe.write('{\"event\": \"verdict\", \"index\": 99, \"status\": 0}\n')\n"
                 "        pipe.write('{\"event\": \"verdict\", \"index\": -1, \"status\": []}\n')\n"
                 "raise SystemExit(1)\n");
  serve(Tier::kSplit, {candidate(0, "START = 1", "START = 0")});
  EXPECT_FALSE(answers_.contains(99));
}

// -- the tiers in their order --------------------------------------------------------------------

class WarmScreenTest : public WarmSessionTest {
 protected:
  std::map<std::size_t, Screened> screen(std::vector<WarmCandidate> candidates) {
    WarmScreen screen(screen_options(), executor());
    return ask(screen, std::move(candidates));
  }

  std::map<std::size_t, Screened> ask(WarmScreen& screen, std::vector<WarmCandidate> candidates) {
    std::map<std::size_t, Screened> screened;
    auto tell = [&](const Screened& s) { screened[s.index] = s; };
    screen.thorough(screen.quick(std::move(candidates), tell, CancelToken()), tell, CancelToken());
    cost_ = screen.cost();
    return screened;
  }
  ScreenOptions screen_options() const { return {tree_, check_, 2, limits_}; }

  TimeLimits limits_{20s, 20s, 20s};
  ScreenCost cost_;
};

TEST_F(WarmScreenTest, EachCandidateGetsTheFastestTierThatServesIt) {
  auto screened =
      screen({candidate(0, "result = START", "result = 0"), candidate(1, "START = 1", "START = 0"),
              candidate(2, "START = 1", "START = 4"), candidate(3, "max(items)", "min(items)")});
  EXPECT_EQ(screened[0].tier, Tier::kSplit);
  EXPECT_EQ(screened[0].verdict, Verdict::kPassed);
  EXPECT_EQ(screened[1].tier, Tier::kPreload);
  EXPECT_EQ(screened[1].verdict, Verdict::kPassed);
  EXPECT_EQ(screened[2].verdict, Verdict::kFailed);
  EXPECT_EQ(screened[3].tier, Tier::kSplit);
  EXPECT_EQ(screened[3].verdict, Verdict::kFailed);
  EXPECT_EQ(screened[3].runs, 0) << "nothing of it would have been run";
  EXPECT_EQ(cost_.sessions, 2);
}

TEST_F(WarmScreenTest, HeldProcessesServeOneWindowAfterTheOther) {
  WarmScreen warm(screen_options(), executor());
  warm.start();
  EXPECT_TRUE(warm.is_warm(CancelToken()));
  for (int window = 0; window < 3; ++window) {
    auto screened =
        ask(warm, {candidate(0, "result = START", "result = 0"),
                   candidate(1, "result = START", "result = 2"),
                   candidate(2, "START = 1", "START = 0"), candidate(3, "START = 1", "START = 4")});
    EXPECT_EQ(screened[0].tier, Tier::kSplit);
    EXPECT_EQ(screened[0].verdict, Verdict::kPassed);
    EXPECT_EQ(screened[1].verdict, Verdict::kFailed);
    EXPECT_EQ(screened[2].tier, Tier::kPreload);
    EXPECT_EQ(screened[2].verdict, Verdict::kPassed);
    EXPECT_EQ(screened[3].verdict, Verdict::kFailed);
  }
  EXPECT_EQ(cost_.sessions, 6);
}

TEST_F(WarmScreenTest, WhatWasHeldTooLateIsServedByASession) {
  testing::write(tree_ / "other.py", "import shop\nONE = shop.total([0])\n");
  testing::write(tree_ / "check.py",
                 "import other, shop\nassert shop.total([2]) == 2 and other.ONE == 0\n");
  WarmScreen warm(screen_options(), executor());
  warm.start();
  auto screened = ask(warm, {candidate(0, "result = START", "result = 0"),
                             candidate(1, "result = START", "result = 2"),
                             candidate(2, "max(items)", "min(items)")});
  EXPECT_EQ(screened[0].tier, Tier::kSplit);
  EXPECT_EQ(screened[0].verdict, Verdict::kPassed);
  EXPECT_EQ(screened[1].verdict, Verdict::kFailed);
  EXPECT_EQ(cost_.sessions, 2);
}

TEST_F(WarmScreenTest, ACheckThatEndsWhileImportingIsServedByPreload) {
  testing::write(tree_ / "check.py", "import decimal\nfrom shop import START, total, last\n");
  WarmScreen warm(screen_options(), executor());
  warm.start();
  EXPECT_FALSE(warm.is_warm(CancelToken()));
  auto screened = ask(warm, {candidate(0, "START = 1", "START = last = 1"),
                             candidate(1, "START = 1", "START = 4")});
  EXPECT_EQ(screened[0].tier, Tier::kPreload);
  EXPECT_EQ(screened[0].verdict, Verdict::kPassed);
  EXPECT_EQ(screened[1].verdict, Verdict::kFailed);
}

/// What runs longer than a child may is not wrong: it got further than the unchanged check.
TEST_F(WarmScreenTest, AChildThatNeedsLongerIsLeftToAFreshRun) {
  limits_.child = 1s;
  testing::write(tree_ / "check.py",
                 "import shop, time\n"
                 "assert shop.total([2, 3]) == 5\n"
                 "time.sleep(2)\n");
  WarmScreen warm(screen_options(), executor());
  warm.start();
  auto screened = ask(warm, {candidate(0, "result = START", "result = 0"),
                             candidate(1, "result = START", "result = 2")});
  EXPECT_EQ(screened[0].tier, Tier::kFresh);
  EXPECT_NE(screened[0].reason.find("not at its end"), std::string::npos) << screened[0].reason;
  EXPECT_EQ(screened[1].tier, Tier::kSplit);
  EXPECT_EQ(screened[1].verdict, Verdict::kFailed);
}

/// Of a check that hangs, the time to its first call tells how fast it is.
TEST_F(WarmScreenTest, AHangIsServedWindowAfterWindow) {
  testing::write(tree_ / "check.py", "import shop\nwhile shop.total([2, 3]) != 5:\n    pass\n");
  limits_.base_hangs = true;
  WarmScreen warm(screen_options(), executor());
  warm.start();
  TimeLimits limits = warm.limits(CancelToken());
  EXPECT_LT(limits.child, 15s);
  limits_ = {6s, 1s, 1s, true};
  WarmScreen fast(screen_options(), executor());
  fast.start();
  for (int window = 0; window < 2; ++window) {
    auto screened = ask(fast, {candidate(0, "result = START", "result = 0"),
                               candidate(1, "result = START", "result = 2"),
                               candidate(2, "max(items)", "min(items)")});
    EXPECT_EQ(screened[0].verdict, Verdict::kPassed);
    EXPECT_EQ(screened[1].verdict, Verdict::kTimedOut);
    EXPECT_EQ(screened[2].verdict, Verdict::kTimedOut);
    EXPECT_EQ(screened[2].tier, Tier::kSplit);
    EXPECT_EQ(screened[2].runs, 0);
  }
}

/// A search that has found its patch leaves a window in the middle.
TEST_F(WarmScreenTest, AWindowThatIsLeftIsForgotten) {
  testing::write(tree_ / "check.py",
                 "import shop, time\nassert shop.total([2, 3]) == 5 or time.sleep(0.05)\n");
  for (int round = 0; round < 3; ++round) {
    WarmScreen warm(screen_options(), executor());
    warm.start();
    std::vector<WarmCandidate> many;
    for (std::size_t i = 0; i < 40; ++i)
      many.push_back(candidate(i, "result = START", "result = " + std::to_string(i)));
    CancelToken cancel;
    std::vector<std::size_t> told;
    warm.quick(
        std::move(many),
        [&](const Screened& screened) {
          told.push_back(screened.index);
          cancel.cancel();
        },
        cancel);
    EXPECT_FALSE(told.empty());
    EXPECT_LT(told.size(), 40u);
  }
}

TEST_F(WarmScreenTest, WhoeverAsksAfterALeftWindowGetsHisOwnAnswers) {
  WarmScreen warm(screen_options(), executor());
  warm.start();
  std::vector<WarmCandidate> wrong;
  for (std::size_t i = 0; i < 40; ++i)
    wrong.push_back(candidate(i, "result = START", "result = 1000 + " + std::to_string(i)));
  CancelToken cancel;
  warm.quick(
      std::move(wrong), [&](const Screened&) { cancel.cancel(); }, cancel);
  warm.forget();
  std::vector<Verdict> told;
  std::vector<WarmCandidate> left = warm.quick(
      {candidate(0, "result = START", "result = 0"), candidate(39, "result = START", "result = 7")},
      [&](const Screened& screened) { told.push_back(screened.verdict); }, CancelToken());
  EXPECT_TRUE(left.empty());
  std::ranges::sort(told);
  EXPECT_EQ(told, (std::vector{Verdict::kPassed, Verdict::kFailed}));
}

TEST_F(WarmScreenTest, AShellLineIsLeftToFreshRuns) {
  check_.command = {"sh", "-c", "python3 check.py && python3 check.py"};
  auto screened = screen({candidate(0, "result = START", "result = 0")});
  EXPECT_EQ(screened[0].tier, Tier::kFresh);
  EXPECT_FALSE(screened[0].reason.empty());
  EXPECT_EQ(cost_.sessions, 0);
}

TEST_F(WarmScreenTest, WhatIsNotTextIsLeftToFreshRuns) {
  auto screened = screen({candidate(0, "result = START", "result = '\xff'"),
                          candidate(1, "result = START", "result = 0")});
  EXPECT_EQ(screened[0].tier, Tier::kFresh);
  EXPECT_EQ(screened[1].verdict, Verdict::kPassed);
}

class UnsandboxedWarmTest : public WarmSessionTest {
 protected:
  std::unique_ptr<Executor> make() override {
    return make_unsandboxed_executor(options_, runner_, Weakening{"a test"});
  }
};

TEST_F(UnsandboxedWarmTest, ServesInTheCopyOfTheTree) {
  WarmEnd end = serve(Tier::kSplit, {candidate(0, "result = START", "result = 0")});
  ASSERT_TRUE(end.able) << end.reason << end.output;
  EXPECT_EQ(answers_[0].verdict, Verdict::kPassed);
}

TEST(StartsPython, ByTheNameOfTheProgram) {
  auto starts = [](std::vector<std::string> command) {
    Check check;
    check.command = std::move(command);
    return starts_python(check);
  };
  EXPECT_TRUE(starts({"python3", "x.py"}));
  EXPECT_TRUE(starts({"/opt/env/bin/python3.11", "-m", "pytest"}));
  EXPECT_TRUE(starts({"pytest", "-x"}));
  EXPECT_FALSE(starts({"torchrun", "x.py"}));
  EXPECT_FALSE(starts({"sh", "-c", "python3 x.py"}));
  EXPECT_FALSE(starts({"python3-config"}));
  EXPECT_FALSE(starts({}));
}

}  // namespace
}  // namespace suture
