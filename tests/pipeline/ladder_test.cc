#include "repair/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <mutex>
#include <optional>

#include "repair/base/file.h"

namespace suture {
namespace {

/// A check that wants a value of `x`: the verdict of a fresh run is read off the file.
class FreshRuns final : public Executor {
 public:
  explicit FreshRuns(std::string green) : green_(std::move(green)) {}
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken&) override {
    std::lock_guard lock(mutex_);
    runs.push_back(request.files.at("m.py"));
    CheckRun run;
    run.verdict = runs.back() == green_ ? Verdict::kPassed : Verdict::kFailed;
    run.use.wall_seconds = 2;
    return run;
  }
  std::vector<std::string> runs;

 private:
  std::string green_;
  std::mutex mutex_;
};

/// Answers as it is told to; what it is not told about is left to fresh runs.
class ScriptedScreen final : public Screen {
 public:
  void forget() override {}
  bool hangs(std::size_t index) const override { return hanging.contains(index); }
  void start() override {}
  bool is_warm(const CancelToken&) override { return false; }
  std::vector<WarmCandidate> quick(std::vector<WarmCandidate> candidates,
                                   const std::function<void(const Screened&)>& tell,
                                   const CancelToken&) override {
    windows.push_back(candidates.size());
    std::vector<WarmCandidate> left;
    // Backwards: the order of answers must not matter.
    for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
      if (auto verdict = verdicts.find(candidate->index); verdict != verdicts.end()) {
        tell({candidate->index, Tier::kSplit, verdict->second, 1, 0.01, ""});
      } else if (others) {
        tell({candidate->index, Tier::kSplit, *others, 1, 0.01, ""});
      } else {
        left.push_back(*candidate);
      }
    }
    return left;
  }
  void thorough(std::vector<WarmCandidate> candidates,
                const std::function<void(const Screened&)>& tell, const CancelToken&) override {
    for (const WarmCandidate& candidate : candidates)
      tell({candidate.index, Tier::kFresh, Verdict::kNotRun, 0, 0, "not for this tier"});
  }
  ScreenCost cost() const override { return {1, windows.empty() ? 0 : 3.0}; }
  std::map<std::size_t, Verdict> verdicts;
  std::optional<Verdict> others;
  std::vector<std::size_t> windows;
  std::set<std::size_t> hanging;
};

class LadderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<TemporaryFolder> folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    std::ofstream(folder_->path() / "m.py") << "x = 0\n";
    Result<std::unique_ptr<SourceTree>> tree = SourceTree::open(folder_->path());
    ASSERT_TRUE(tree.has_value());
    tree_ = std::move(*tree);
    check_.command = {"python3", "check.py"};
  }

  /// Candidate i writes `x = i`.
  std::vector<Candidate> candidates(std::size_t count) {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < count; ++i) {
      Candidate candidate;
      candidate.id = std::to_string(i);
      candidate.edits["m.py"] = {Edit{{4, 5}, std::to_string(i)}};
      all.push_back(std::move(candidate));
    }
    return all;
  }

  static std::string file(int value) { return "x = " + std::to_string(value) + "\n"; }

  LadderOutcome climb_all(std::vector<Candidate> all, Executor& executor, Screen* screen,
                          int jobs = 1) {
    LadderInput input{check_, std::chrono::seconds(10), budget_, jobs, patches_wanted_, screen};
    input.shown = shown_;
    input.rivals = rivals_;
    input.known = known_;
    ManualClock clock;
    NullSink events;
    return climb(all, input, *tree_, executor, clock, events, CancelToken(), [](const Trial&) {});
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<SourceTree> tree_;
  Check check_;
  Budget budget_{std::nullopt, 1000};
  int patches_wanted_ = 1;
  RivalBounds rivals_;
  std::function<bool(const Candidate&, const Standing&)> shown_;
  KnownVerdicts* known_ = nullptr;
};

TEST_F(LadderTest, WithoutAScreenWhatPassesHasPassedTwiceAfresh) {
  FreshRuns fresh(file(2));
  LadderOutcome outcome = climb_all(candidates(5), fresh, nullptr);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{2}));
  ASSERT_EQ(outcome.trials.size(), 3u);
  EXPECT_EQ(outcome.runs[Tier::kFresh], 4);
  EXPECT_EQ(outcome.trials[2].tier, Tier::kFresh);
}

TEST_F(LadderTest, OnlyWhatPassesTheScreenIsRunAfreshAndOnceIsEnough) {
  FreshRuns fresh(file(4));
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{1, Verdict::kCrashed}, {2, Verdict::kTimedOut}, {4, Verdict::kPassed}};
  LadderOutcome outcome = climb_all(candidates(8), fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{4}));
  EXPECT_EQ(fresh.runs, (std::vector<std::string>{file(0), file(4)})) << "the first one at once";
  ASSERT_EQ(outcome.trials.size(), 5u);
  EXPECT_EQ(outcome.trials[1].verdict, Verdict::kCrashed);
  EXPECT_EQ(outcome.trials[2].verdict, Verdict::kTimedOut);
  EXPECT_EQ(outcome.runs[Tier::kSplit], 4);
  EXPECT_EQ(outcome.runs[Tier::kFresh], 2);
  EXPECT_DOUBLE_EQ(outcome.check_seconds, 3.0 + 2.0 + 2.0)
      << "the warm process as a whole, the fresh run";
}

TEST_F(LadderTest, AFreshRunOverrulesTheScreen) {
  FreshRuns fresh(file(3));
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{1, Verdict::kPassed}, {3, Verdict::kPassed}};
  LadderOutcome outcome = climb_all(candidates(6), fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{3}));
  ASSERT_EQ(outcome.trials.size(), 4u);
  EXPECT_EQ(outcome.trials[1].verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.trials[1].tier, Tier::kFresh);
  EXPECT_NE(outcome.trials[1].reason.find("split"), std::string::npos);
}

TEST_F(LadderTest, WhatWouldBeWithheldDoesNotEndTheSearch) {
  FreshRuns fresh(file(1));
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{1, Verdict::kPassed}};
  shown_ = [](const Candidate& candidate, const Standing& standing) {
    EXPECT_EQ(std::to_string(standing.rank - 1), candidate.id);
    return false;
  };
  LadderOutcome outcome = climb_all(candidates(6), fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{1}));
  EXPECT_EQ(outcome.trials.size(), 6u);
  EXPECT_FALSE(outcome.budget_used_up);
}

/// Passes what it is told to, in every run.
class GreenRuns final : public Executor {
 public:
  explicit GreenRuns(std::set<std::string> green) : green_(std::move(green)) {}
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken&) override {
    CheckRun run;
    run.verdict = green_.contains(request.files.at("m.py")) ? Verdict::kPassed : Verdict::kFailed;
    return run;
  }

 private:
  std::set<std::string> green_;
};

TEST_F(LadderTest, WithAPatchInHandRivalsAreLookedFor) {
  GreenRuns fresh({file(2), file(5), file(30)});
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{2, Verdict::kPassed}, {5, Verdict::kPassed}, {30, Verdict::kPassed}};
  rivals_ = {10, 4, 1.0, std::chrono::seconds(1)};
  LadderOutcome outcome = climb_all(candidates(40), fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{2, 5}));
  EXPECT_EQ(outcome.trials.size(), 13U);
  EXPECT_EQ(screen.windows.size(), 1U);
  EXPECT_FALSE(outcome.budget_used_up);

  rivals_.costly = 1;
  EXPECT_EQ(climb_all(candidates(40), fresh, &screen).trials.size(), 6U) << "one that passed";
}

TEST_F(LadderTest, ImprobableRivalsAreNotLookedFor) {
  GreenRuns fresh({file(1), file(3), file(6)});
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{1, Verdict::kPassed}, {3, Verdict::kPassed}, {6, Verdict::kPassed}};
  rivals_ = {10, 4, 1.0, std::chrono::seconds(1)};
  std::vector<Candidate> all = candidates(10);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].score = i < 5 ? 0 : -1.5;
  LadderOutcome outcome = climb_all(all, fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(outcome.trials.size(), 5U);
}

TEST_F(LadderTest, RivalsThatPutAPatchInDoubtMakeTheSearchGoOn) {
  GreenRuns fresh({file(1), file(2), file(8)});
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{1, Verdict::kPassed}, {2, Verdict::kPassed}, {8, Verdict::kPassed}};
  rivals_ = {3, 4, 1.0, std::chrono::seconds(1)};
  std::vector<Candidate> all = candidates(20);
  // The first two are of equal worth, the last one stands alone.
  for (std::size_t i = 0; i < all.size(); ++i) all[i].features["prior"] = 0;
  shown_ = [](const Candidate& candidate, const Standing& standing) {
    return candidate.id == "8" || standing.rivals == 0;
  };
  LadderOutcome outcome = climb_all(all, fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{1, 2, 8}));
  EXPECT_EQ(outcome.trials.size(), 12U);
}

TEST_F(LadderTest, AStandingTellsRivalsAndTheirShare) {
  std::vector<Candidate> all = candidates(4);
  for (Candidate& candidate : all) candidate.features["prior"] = 0;
  all[1].score = std::log(3);
  all[2].silencing = Silencing::kDeletes;
  Standing standing = standing_of(0, Standing::OtherTests::kGreen, {0, 1, 2}, all);
  EXPECT_EQ(standing.rank, 1);
  EXPECT_EQ(standing.rivals, 1U);
  EXPECT_NEAR(standing.share, 0.25, 1e-9);
  EXPECT_EQ(standing.other_tests, Standing::OtherTests::kGreen);
  EXPECT_NEAR(standing_of(1, {}, {0, 1, 2}, all).share, 0.75, 1e-9);
  EXPECT_EQ(standing_of(3, {}, {3}, all).rivals, 0U);
}

TEST_F(LadderTest, WhatNoFastTierServesIsRunAfreshTwice) {
  FreshRuns fresh(file(1));
  ScriptedScreen screen;
  screen.verdicts = {{3, Verdict::kFailed}};
  LadderOutcome outcome = climb_all(candidates(4), fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{1}));
  std::vector<std::string> order;
  for (const Trial& trial : outcome.trials) order.push_back(trial.candidate);
  EXPECT_EQ(order, (std::vector<std::string>{"0", "3", "1"})) << "quick answers come first";
  EXPECT_EQ(outcome.trials[2].tier_reason, "not for this tier");
  EXPECT_EQ(std::count(fresh.runs.begin(), fresh.runs.end(), file(1)), 2);
  EXPECT_EQ(std::count(fresh.runs.begin(), fresh.runs.end(), file(3)), 0) << "it had its verdict";
  EXPECT_EQ(outcome.runs[Tier::kFresh], 3);
}

TEST_F(LadderTest, ForAHandfulOfCandidatesNoWarmProcessIsStarted) {
  FreshRuns fresh(file(7));
  ScriptedScreen screen;
  climb_all(candidates(2), fresh, &screen);
  EXPECT_TRUE(screen.windows.empty());
  EXPECT_EQ(fresh.runs.size(), 2u);
}

TEST_F(LadderTest, WindowsGrowAndStopAtAPatch) {
  FreshRuns fresh(file(40));
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{40, Verdict::kPassed}};
  LadderOutcome outcome = climb_all(candidates(2000), fresh, &screen);
  EXPECT_EQ(outcome.plausible, (std::vector<std::size_t>{40}));
  ASSERT_EQ(screen.windows.size(), 2u);
  EXPECT_GT(screen.windows[1], screen.windows[0]);
}

TEST_F(LadderTest, EveryCandidateIsScreenedOnceWhenNothingPasses) {
  FreshRuns fresh("");
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  LadderOutcome outcome = climb_all(candidates(700), fresh, &screen);
  EXPECT_EQ(outcome.trials.size(), 700u);
  EXPECT_FALSE(outcome.budget_used_up);
  std::size_t screened = 0;
  for (std::size_t size : screen.windows) screened += size;
  EXPECT_EQ(screened, 699u);
  EXPECT_EQ(fresh.runs, (std::vector<std::string>{file(0)}));
}

TEST_F(LadderTest, WhatRanOutOfTimeIsRunAfreshWhenAllElseIsAnswered) {
  FreshRuns fresh("");
  ScriptedScreen screen;
  for (std::size_t i = 0; i < 200; ++i) {
    if (i % 50 != 7) screen.verdicts[i] = Verdict::kFailed;
  }
  screen.hanging = {7, 57, 107};  // 157 is left to fresh runs for another reason
  LadderOutcome outcome = climb_all(candidates(200), fresh, &screen);
  EXPECT_EQ(outcome.trials.size(), 200u);
  ASSERT_EQ(fresh.runs.size(), 5u);
  EXPECT_EQ(fresh.runs[1], file(157));
  // Of what hangs it is chance which worker is first.
  std::set<std::string> last(fresh.runs.begin() + 2, fresh.runs.end());
  EXPECT_EQ(last, (std::set<std::string>{file(7), file(57), file(107)}));
}

TEST_F(LadderTest, AnEditThatDoesNotParseIsRejectedWithoutARun) {
  std::vector<Candidate> all = candidates(4);
  all[1].edits["m.py"] = {Edit{{4, 5}, "(("}};
  FreshRuns fresh(file(3));
  ScriptedScreen screen;
  LadderOutcome outcome = climb_all(std::move(all), fresh, &screen);
  ASSERT_EQ(outcome.trials.size(), 4u);
  EXPECT_EQ(outcome.trials[1].verdict, Verdict::kPatchRejected);
  EXPECT_EQ(screen.windows, (std::vector<std::size_t>{2}));
}

TEST_F(LadderTest, WithoutABudgetNothingIsStarted) {
  budget_.check_runs = 0;
  FreshRuns fresh(file(0));
  ScriptedScreen screen;
  LadderOutcome outcome = climb_all(candidates(20), fresh, &screen);
  EXPECT_TRUE(outcome.trials.empty());
  EXPECT_TRUE(outcome.budget_used_up);
  EXPECT_TRUE(fresh.runs.empty());
  EXPECT_TRUE(screen.windows.empty());
}

TEST_F(LadderTest, WhatAnEarlierJobKnowsIsNotRunAndStartsNoWarmProcess) {
  MemoryVerdicts verdicts;
  auto job = [&](FreshRuns& fresh, ScriptedScreen& screen, RepairRequest::Tiers tiers) {
    JobMemory memory(verdicts, folder_->path(), "here");
    KnownVerdicts known(memory, check_, tiers);
    known_ = &known;
    LadderOutcome outcome = climb_all(candidates(8), fresh, &screen);
    known_ = nullptr;
    memory.commit();
    return outcome;
  };
  auto all = RepairRequest::Tiers::kAll;
  FreshRuns fresh(file(4));
  ScriptedScreen screen;
  screen.others = Verdict::kFailed;
  screen.verdicts = {{1, Verdict::kCrashed}, {4, Verdict::kPassed}};
  LadderOutcome first = job(fresh, screen, all);
  FreshRuns none("");
  ScriptedScreen idle;
  LadderOutcome second = job(none, idle, all);
  EXPECT_TRUE(none.runs.empty());
  EXPECT_TRUE(idle.windows.empty());
  EXPECT_EQ(second.check_runs(), 0);
  EXPECT_EQ(second.cached_runs, first.check_runs());
  EXPECT_EQ(second.fresh_seconds, 0);
  EXPECT_EQ(second.plausible, first.plausible);
  ASSERT_EQ(second.trials.size(), first.trials.size());
  for (std::size_t i = 0; i < first.trials.size(); ++i) {
    EXPECT_EQ(second.trials[i].verdict, first.trials[i].verdict);
    EXPECT_EQ(second.trials[i].tier, first.trials[i].tier);
  }
  EXPECT_EQ(second.passes[0].origin, Origin::kCache);
  // Whoever wants fresh runs alone takes only what fresh runs alone have said.
  FreshRuns again(file(4));
  ScriptedScreen unused;
  job(again, unused, RepairRequest::Tiers::kFreshOnly);
  EXPECT_EQ(std::ranges::count(again.runs, file(0)), 0) << "was run afresh";
  EXPECT_EQ(std::ranges::count(again.runs, file(1)), 1);
  EXPECT_EQ(std::ranges::count(again.runs, file(4)), 2) << "passed afresh once so far";
}

TEST_F(LadderTest, WhatForcingConditionsSaidIsRememberedOfTheSameConditions) {
  MemoryVerdicts verdicts;
  std::vector<ConditionPlace> conditions{{"m.py", 3, 9}, {"m.py", 20, 30}};
  SwitchReport report;
  report.able = true;
  report.children = 3;
  report.conditions.resize(2);
  report.conditions[0].kind = SwitchedCondition::Kind::kVisited;
  report.conditions[0].forced = {{true, 0, Verdict::kFailed}, {true, 2, Verdict::kPassed}};
  report.conditions[1].kind = SwitchedCondition::Kind::kUnreached;
  {
    JobMemory memory(verdicts, folder_->path(), "here");
    KnownVerdicts(memory, check_, RepairRequest::Tiers::kAll).keep_switched(conditions, report);
    memory.commit();
  }
  JobMemory memory(verdicts, folder_->path(), "here");
  KnownVerdicts known(memory, check_, RepairRequest::Tiers::kAll);
  auto again = known.switched(conditions);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->children, 3u);
  ASSERT_EQ(again->conditions.size(), 2u);
  ASSERT_NE(again->conditions[0].green(), nullptr);
  EXPECT_EQ(again->conditions[0].green()->visit, 2);
  EXPECT_EQ(again->conditions[1].kind, SwitchedCondition::Kind::kUnreached);
  conditions.pop_back();
  EXPECT_FALSE(known.switched(conditions).has_value());
}

TEST_F(LadderTest, AFlakyCandidateIsNotRemembered) {
  class Flaky final : public Executor {
   public:
    Status ready() override { return {}; }
    CheckRun run(const RunRequest&, const CancelToken&) override {
      CheckRun run;
      run.verdict = ++runs == 1 ? Verdict::kPassed : Verdict::kFailed;
      return run;
    }
    int runs = 0;
  } flaky;
  MemoryVerdicts verdicts;
  JobMemory memory(verdicts, folder_->path(), "here");
  KnownVerdicts known(memory, check_, RepairRequest::Tiers::kAll);
  known_ = &known;
  LadderOutcome outcome = climb_all(candidates(1), flaky, nullptr);
  EXPECT_EQ(outcome.trials[0].verdict, Verdict::kFlaky);
  memory.commit();
  FileContents files{{"m.py", file(0)}};
  EXPECT_FALSE(known.find(files, std::chrono::seconds(10)).has_value());
  outcome = climb_all(candidates(1), flaky, nullptr);
  EXPECT_EQ(outcome.trials[0].verdict, Verdict::kFailed) << "run again";
}

/// What a screen answers quickly is looked at first. Candidates of lower rank that were not reached
/// then must not be run by the next job either.
TEST_F(LadderTest, AJobThatIsDoneAgainGoesTheSameWay) {
  MemoryVerdicts verdicts;
  auto job = [&](FreshRuns& fresh, ScriptedScreen& screen) {
    JobMemory memory(verdicts, folder_->path(), "here");
    KnownVerdicts known(memory, check_, RepairRequest::Tiers::kAll);
    known_ = &known;
    LadderOutcome outcome = climb_all(candidates(8), fresh, &screen);
    known_ = nullptr;
    memory.commit();
    return outcome;
  };
  FreshRuns fresh(file(5));
  ScriptedScreen screen;
  screen.verdicts = {{3, Verdict::kFailed}, {5, Verdict::kPassed}};
  LadderOutcome first = job(fresh, screen);
  ASSERT_EQ(first.plausible, (std::vector<std::size_t>{5}));
  ASSERT_EQ(first.trials.size(), 3u) << "0 at once, 3 and 5 quickly";
  FreshRuns none("");
  ScriptedScreen idle;
  LadderOutcome second = job(none, idle);
  EXPECT_EQ(second.check_runs(), 0);
  EXPECT_TRUE(none.runs.empty());
  EXPECT_TRUE(idle.windows.empty());
  ASSERT_EQ(second.trials.size(), first.trials.size());
  for (std::size_t i = 0; i < first.trials.size(); ++i)
    EXPECT_EQ(second.trials[i].candidate, first.trials[i].candidate);
  // Who wants more goes on with what was left out.
  patches_wanted_ = 2;
  FreshRuns more(file(1));
  ScriptedScreen rest;
  LadderOutcome third = job(more, rest);
  EXPECT_EQ(third.plausible, (std::vector<std::size_t>{5, 1}));
  EXPECT_EQ(std::ranges::count(more.runs, file(5)), 0);
}

/// The budget in check runs is spent in rank order, whichever tier makes them and however many run
/// at once.
TEST_F(LadderTest, PropertyABudgetInRunsEndsAtTheSameCandidate) {
  for (int budget : {1, 3, 9, 30}) {
    budget_.check_runs = budget;
    std::optional<std::size_t> tried;
    for (int jobs : {1, 2, 4}) {
      FreshRuns fresh(file(50));
      ScriptedScreen screen;
      for (std::size_t i = 0; i < 60; i += 3) screen.verdicts[i] = Verdict::kFailed;
      for (std::size_t i = 1; i < 60; i += 3) screen.verdicts[i] = Verdict::kPassed;
      LadderOutcome outcome = climb_all(candidates(60), fresh, &screen, jobs);
      if (tried) {
        EXPECT_EQ(outcome.trials.size(), *tried) << jobs << " jobs";
      }
      tried = outcome.trials.size();
      EXPECT_TRUE(outcome.budget_used_up);
    }
  }
}

}  // namespace
}  // namespace suture
