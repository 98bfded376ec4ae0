#include "repair/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "repair/base/file.h"
#include "repair/confidence.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

/// Runs "checks" by looking at the files: green when the marker is in one of them. A stand-in for
/// processes, so that the path itself can be tested in milliseconds.
class MarkerExecutor final : public Executor {
 public:
  explicit MarkerExecutor(std::string marker) : marker_(std::move(marker)) {}
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken&) override {
    std::lock_guard lock(mutex_);
    ++runs;
    CheckRun result;
    result.verdict = Verdict::kFailed;
    result.code = 1;
    result.output = output;
    for (const auto& [path, content] : request.files) {
      if (content.find(marker_) == std::string::npos) continue;
      result.verdict = Verdict::kPassed;
      result.code = 0;
    }
    return result;
  }
  std::string output;
  int runs = 0;

 private:
  std::string marker_;
  std::mutex mutex_;
};

class PipelineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    std::ofstream(folder_->path() / "shop.py")
        << "def label(item):\n    return item.name.upper()\n\n\n"
           "def show(items):\n    return [label(i) for i in items]\n";
    request_.tree = folder_->path();
    Check check;
    check.command = {"python3", "check.py"};
    request_.check = check;
    request_.budget = {std::nullopt, 40};
    auto patterns = Catalogue::load({SUTURE_SOURCE_DIR "/patterns"});
    ASSERT_TRUE(patterns.has_value()) << patterns.error().display();
    patterns_ = std::move(*patterns);
    auto weights = RankingWeights::load(SUTURE_SOURCE_DIR "/patterns/ranking.yaml");
    ASSERT_TRUE(weights.has_value());
    weights_ = std::move(*weights);
    auto confidence = ConfidenceModel::load(SUTURE_SOURCE_DIR "/patterns/confidence.yaml");
    ASSERT_TRUE(confidence.has_value()) << confidence.error().display();
    confidence_ = confidence->model;
  }

  std::string traceback() const {
    return "Traceback (most recent call last):\n"
           "  File \"check.py\", line 3, in <module>\n    shop.show([Item(), None])\n"
           "  File \"" +
           (folder_->path() / "shop.py").string() +
           "\", line 6, in show\n"
           "    return [label(i) for i in items]\n"
           "  File \"" +
           (folder_->path() / "shop.py").string() +
           "\", line 2, in label\n"
           "    return item.name.upper()\n"
           "AttributeError: 'NoneType' object has no attribute 'name'\n";
  }

  RepairResult run(MarkerExecutor& executor) {
    NullSink events;
    NoStore store;
    ManualClock clock;
    NothingInstalled installed;
    Services services{CancelToken(), events,    store,    clock,       executor,
                      installed,     patterns_, weights_, confidence_, verdicts_};
    return repair(request_, services);
  }

  std::optional<TemporaryFolder> folder_;
  RepairRequest request_;
  Catalogue patterns_;
  RankingWeights weights_;
  LogisticModel confidence_;
  VerdictCache* verdicts_ = nullptr;
};

TEST_F(PipelineTest, FindsTheGuardThatTheCheckWants) {
  MarkerExecutor executor("if item is not None");
  executor.output = traceback();
  RepairResult result = run(executor);
  ASSERT_EQ(result.outcome, Outcome::kPatched) << result.reason;
  const Proposal& proposal = result.proposals.front();
  EXPECT_EQ(proposal.candidate.family, "conditional");
  EXPECT_NE(proposal.diff.find("+++ b/shop.py"), std::string::npos) << proposal.diff;
  EXPECT_GT(proposal.confidence, 0.3);
  EXPECT_LE(result.rank_first_plausible, 10);
  EXPECT_EQ(result.costs.check_runs,
            2 + std::int64_t(result.trials.size()) + std::int64_t(result.plausible))
      << "each once, what passes twice";
  EXPECT_EQ(result.proposals.size(), 1U) << "as many as are wanted, whatever else passes";
  EXPECT_EQ(result.proposals.size() + result.withheld.size(), result.plausible);
  for (const Proposal& rival : result.withheld)
    EXPECT_LE(rival.confidence, proposal.confidence) << rival.candidate.summary;
}

/// What the code alone shows to be wrong is repaired wherever it stands in the file.
TEST_F(PipelineTest, ACertainDefectIsRepairedAtItsTwinToo) {
  std::ofstream(folder_->path() / "shop.py")
      << "def total(price, rare):\n    if rare:\n        price * 2\n    else:\n"
         "        price * 3\n    return price\n";
  MarkerExecutor executor("price *= 3");
  executor.output = "Traceback (most recent call last):\n  File \"" +
                    (folder_->path() / "shop.py").string() +
                    "\", line 5, in total\n    price * 3\nValueError: too cheap\n";
  RepairResult result = run(executor);
  ASSERT_EQ(result.outcome, Outcome::kPatched) << result.reason;
  ASSERT_EQ(result.proposals.size(), 1u);
  ASSERT_EQ(result.withheld.size(), 1u);
  const Proposal &both = result.proposals[0], &single = result.withheld[0];
  EXPECT_NE(both.diff.find("+        price *= 2\n"), std::string::npos) << both.diff;
  EXPECT_NE(both.diff.find("+        price *= 3\n"), std::string::npos) << both.diff;
  EXPECT_EQ(both.rank, single.rank + 1);
}

TEST_F(PipelineTest, AnyOtherTwinIsARivalBehind) {
  std::ofstream(folder_->path() / "shop.py", std::ios::app)
      << "\n\ndef price(item):\n    return item.name.upper()\n";
  MarkerExecutor executor("if item is not None");
  executor.output = traceback();
  RepairResult result = run(executor);
  ASSERT_EQ(result.outcome, Outcome::kPatched) << result.reason;
  ASSERT_EQ(result.proposals.size(), 1u);
  EXPECT_EQ(result.proposals[0].diff.find("@@ -9"), std::string::npos);
  ASSERT_FALSE(result.withheld.empty());
  EXPECT_NE(result.withheld[0].candidate.summary.find("at 2 places"), std::string::npos);
}

TEST_F(PipelineTest, SaysWhyThereIsNoPatch) {
  MarkerExecutor executor("nothing makes this green");
  executor.output = traceback();
  request_.budget.check_runs = 5;
  RepairResult result = run(executor);
  EXPECT_EQ(result.outcome, Outcome::kNoPatch);
  EXPECT_EQ(result.lack, RepairResult::Lack::kBudget);
  EXPECT_EQ(result.trials.size(), 5u);
  EXPECT_NE(result.reason.find("5 of"), std::string::npos) << result.reason;
}

TEST_F(PipelineTest, ACheckThatIsGreenAtOnceIsNotReproduced) {
  class Green final : public Executor {
    Status ready() override { return {}; }
    CheckRun run(const RunRequest&, const CancelToken&) override {
      return {Verdict::kPassed, 0, "", "", {}};
    }
  } green;
  NullSink events;
  NoStore store;
  ManualClock clock;
  NothingInstalled installed;
  Services services{CancelToken(), events,    store,    clock,      green,
                    installed,     patterns_, weights_, confidence_};
  EXPECT_EQ(repair(request_, services).outcome, Outcome::kNotReproduced);
}

TEST_F(PipelineTest, WithoutACheckThereIsNothingToProve) {
  request_.check.reset();
  MarkerExecutor executor("");
  EXPECT_EQ(run(executor).outcome, Outcome::kNoCheck);
  EXPECT_EQ(executor.runs, 0);
}

/// Verdicts are committed in rank order: with a budget in check runs nothing depends on how many
/// run at once, nor on the day.
TEST_F(PipelineTest, PropertySameInputSameResultWithAnyNumberOfJobs) {
  std::string first;
  for (int jobs : {1, 2, 4, 1, 2, 4, 1, 2, 4, 2}) {
    MarkerExecutor executor("if item is not None else []");
    executor.output = traceback();
    request_.jobs = jobs;
    RepairResult result = run(executor);
    std::string summary;
    for (const Trial& trial : result.trials)
      summary += trial.candidate + std::string(to_string(trial.verdict)) + "\n";
    for (const Proposal& proposal : result.proposals) summary += proposal.diff;
    summary += std::to_string(result.costs.check_runs);
    if (first.empty()) first = summary;
    EXPECT_EQ(summary, first) << jobs << " jobs";
  }
}

/// Fires the token when a stage begins.
class CancelAt final : public EventSink {
 public:
  CancelAt(std::string stage, CancelToken token) : stage_(std::move(stage)), token_(token) {}
  void emit(const Event& event) override {
    std::lock_guard lock(mutex_);
    if (stages.empty() || stages.back() != event.stage) stages.push_back(event.stage);
    if (event.stage == stage_) token_.cancel();
  }
  std::vector<std::string> stages;

 private:
  std::string stage_;
  CancelToken token_;
  std::mutex mutex_;
};

TEST_F(PipelineTest, CanBeCancelledAtEveryStage) {
  const std::vector<std::string> stages{"report", "reproduce", "locate", "propose",
                                        "rank",   "validate",  "present"};
  for (const std::string& stage : stages) {
    MarkerExecutor executor("if item is not None");
    executor.output = traceback();
    NoStore store;
    ManualClock clock;
    NothingInstalled installed;
    CancelToken token;
    CancelAt events(stage, token);
    Services services{token,     events,    store,    clock,      executor,
                      installed, patterns_, weights_, confidence_};
    RepairResult result = repair(request_, services);
    EXPECT_EQ(result.outcome, Outcome::kCancelled) << stage;
    EXPECT_EQ(std::count(events.stages.begin(), events.stages.end(), stage), 1) << stage;
    if (stage != stages.back()) continue;
    EXPECT_EQ(events.stages, stages) << "all of them, in this order";
  }
}

TEST_F(PipelineTest, TheTreeIsNeverTouched) {
  MarkerExecutor executor("if item is not None");
  executor.output = traceback();
  fs::path file = folder_->path() / "shop.py";
  std::string before = *read_file(file);
  auto written = fs::last_write_time(file);
  ASSERT_EQ(run(executor).outcome, Outcome::kPatched);
  EXPECT_EQ(*read_file(file), before);
  EXPECT_EQ(fs::last_write_time(file), written);
}

TEST_F(PipelineTest, TheSameJobAgainRunsNoCheckAndSaysTheSame) {
  MemoryVerdicts verdicts;
  verdicts_ = &verdicts;
  for (const char* wanted : {"if item is not None", "nothing makes this green"}) {
    request_.check->command = {"python3", wanted};
    request_.budget.check_runs = 2000;  // more than there are candidates
    MarkerExecutor executor(wanted);
    executor.output = traceback();
    RepairResult first = run(executor);
    int made = executor.runs;
    RepairResult second = run(executor);
    EXPECT_EQ(executor.runs, made) << wanted;
    EXPECT_EQ(first.costs.cached_runs, 0);
    EXPECT_EQ(second.costs.check_runs, 0);
    EXPECT_EQ(second.costs.cached_runs, first.costs.check_runs);
    EXPECT_EQ(second.outcome, first.outcome);
    EXPECT_EQ(second.reason, first.reason);
    EXPECT_EQ(second.failure.headline(), first.failure.headline());
    ASSERT_EQ(second.trials.size(), first.trials.size());
    for (std::size_t i = 0; i < first.trials.size(); ++i) {
      EXPECT_EQ(second.trials[i].candidate, first.trials[i].candidate);
      EXPECT_EQ(second.trials[i].verdict, first.trials[i].verdict);
      EXPECT_EQ(second.trials[i].tier, first.trials[i].tier);
      bool rejected = second.trials[i].verdict == Verdict::kPatchRejected;
      EXPECT_EQ(second.trials[i].origin, rejected ? Origin::kRun : Origin::kCache);
    }
    ASSERT_EQ(second.proposals.size(), first.proposals.size());
    if (first.proposals.empty()) continue;
    EXPECT_EQ(second.proposals[0].diff, first.proposals[0].diff);
    EXPECT_EQ(second.proposals[0].confidence, first.proposals[0].confidence);
    EXPECT_EQ(first.proposals[0].rerun[0].origin, Origin::kRun);
    EXPECT_EQ(second.proposals[0].rerun[0].origin, Origin::kCache);
  }
}

TEST_F(PipelineTest, AnotherTreeOrCheckIsRunAgain) {
  MemoryVerdicts verdicts;
  verdicts_ = &verdicts;
  MarkerExecutor executor("if item is not None");
  executor.output = traceback();
  run(executor);
  int before = executor.runs;
  request_.check->env["SEED"] = "2";
  EXPECT_GT(run(executor).costs.check_runs, 2);
  EXPECT_GT(executor.runs, before);
  request_.check->env.clear();
  EXPECT_EQ(run(executor).costs.check_runs, 0);
  std::ofstream(folder_->path() / "unrelated.py") << "x = 1\n";
  EXPECT_GT(run(executor).costs.check_runs, 2);
}

TEST_F(PipelineTest, ABudgetThatWasUsedUpIsGoneOnFrom) {
  MemoryVerdicts verdicts;
  verdicts_ = &verdicts;
  MarkerExecutor executor("nothing makes this green");
  executor.output = traceback();
  request_.budget.check_runs = 5;
  ASSERT_EQ(run(executor).trials.size(), 5u);
  RepairResult again = run(executor);
  EXPECT_EQ(again.costs.check_runs, 5) << "what is known costs nothing";
  EXPECT_GE(again.trials.size(), 10u) << "five known, five run, and any that need no run";
}

TEST_F(PipelineTest, ACheckThatDoesNotFailIsNotRemembered) {
  MemoryVerdicts verdicts;
  verdicts_ = &verdicts;
  class Green final : public Executor {
   public:
    Status ready() override { return {}; }
    CheckRun run(const RunRequest&, const CancelToken&) override {
      ++runs;
      return {Verdict::kPassed, 0, "", "", {}};
    }
    int runs = 0;
  } green;
  NullSink events;
  NoStore store;
  ManualClock clock;
  NothingInstalled installed;
  Services services{CancelToken(), events,    store,    clock,       green,
                    installed,     patterns_, weights_, confidence_, verdicts_};
  repair(request_, services);
  EXPECT_EQ(repair(request_, services).outcome, Outcome::kNotReproduced);
  EXPECT_EQ(green.runs, 4);
}

TEST_F(PipelineTest, TheBaselineOnlySilencesAndIsWithheld) {
  MarkerExecutor executor("pass");
  executor.output = traceback();
  request_.search = RepairRequest::Search::kOnlySilencing;
  RepairResult result = run(executor);
  EXPECT_EQ(result.outcome, Outcome::kNoPatch);
  for (const Trial& trial : result.trials)
    EXPECT_NE(trial.silencing, Silencing::kNo) << trial.pattern;
}

}  // namespace
}  // namespace suture
