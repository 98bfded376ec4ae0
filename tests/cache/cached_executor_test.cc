#include "repair/cache/cached_executor.h"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>

#include "repair/base/file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Gives the verdicts that it is told to, one after the other; writes a file where it may.
class Scripted final : public Executor {
 public:
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken&) override {
    ++runs;
    CheckRun run;
    run.verdict = verdicts.empty() ? Verdict::kFailed : verdicts.front();
    if (!verdicts.empty()) verdicts.pop_front();
    run.code = 3;
    run.output = std::string("bytes \0 \xff", 9);
    run.use.wall_seconds = 2;
    for (const Mount& mount : request.mounts) {
      if (mount.access == Mount::Access::kWrite) std::ofstream(mount.host + "/seen") << "evidence";
    }
    return run;
  }
  std::deque<Verdict> verdicts;
  int runs = 0;
};

class CachedExecutorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    std::ofstream(folder_->path() / "m.py") << "x = 1\n";
    check_.command = {"check"};
    check_.timeout = milliseconds(10'000);
  }

  RunRequest request(FileContents files = {}) const {
    RunRequest request;
    request.check = &check_;
    request.files = std::move(files);
    return request;
  }

  /// One job that makes these runs; what came of each.
  std::vector<CheckRun> job(const std::vector<RunRequest>& requests) {
    JobMemory memory(cache_, folder_->path(), surroundings_);
    CachedExecutor executor(inner_, memory);
    std::vector<CheckRun> runs;
    for (const RunRequest& each : requests) runs.push_back(executor.run(each, CancelToken()));
    memory.commit();
    return runs;
  }

  std::optional<TemporaryFolder> folder_;
  Check check_;
  MemoryVerdicts cache_;
  std::string surroundings_ = "here";
  Scripted inner_;
};

TEST_F(CachedExecutorTest, TheNextJobIsToldWhatThisOneSaw) {
  job({request()});
  CheckRun again = job({request()}).front();
  EXPECT_EQ(inner_.runs, 1);
  EXPECT_EQ(again.origin, Origin::kCache);
  EXPECT_EQ(again.verdict, Verdict::kFailed);
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ(again.output, std::string("bytes \0 \xff", 9));
  EXPECT_EQ(again.use.wall_seconds, 2);
}

TEST_F(CachedExecutorTest, TwoRunsThatMustAgreeAreTwoRuns) {
  job({request(), request()});
  EXPECT_EQ(inner_.runs, 2) << "a job never answers itself";
  job({request(), request(), request()});
  EXPECT_EQ(inner_.runs, 3) << "two were known, the third was not";
}

TEST_F(CachedExecutorTest, AnythingThatTheRunSeesMakesItAnotherRun) {
  job({request()});
  auto is_run = [&](const RunRequest& other) {
    int before = inner_.runs;
    job({other});
    return inner_.runs > before;
  };
  EXPECT_TRUE(is_run(request({{"m.py", "x = 2\n"}})));
  RunRequest traced = request();
  traced.env["PROBE"] = "1";
  EXPECT_TRUE(is_run(traced));
  traced = request();
  traced.python_path = {"/probe"};
  EXPECT_TRUE(is_run(traced));
  Check other = check_;
  other.command.push_back("-v");
  RunRequest verbose = request();
  verbose.check = &other;
  EXPECT_TRUE(is_run(verbose));
  EXPECT_FALSE(is_run(request()));
  surroundings_ = "elsewhere";
  EXPECT_TRUE(is_run(request()));
  surroundings_ = "here";
  std::ofstream(folder_->path() / "m.py") << "x = 3\n";
  EXPECT_TRUE(is_run(request()));
}

TEST_F(CachedExecutorTest, WhatARunLeftInItsFolderIsThereAgain) {
  auto traced = [&](const TemporaryFolder& out) {
    RunRequest traced = request();
    traced.mounts = {{out.path().string(), out.path().string(), Mount::Access::kWrite}};
    traced.env["OUT"] = (out.path() / "seen").string();
    return traced;
  };
  auto first = TemporaryFolder::make("suture-test-");
  auto second = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(first && second);
  job({traced(*first)});
  job({traced(*second)});
  EXPECT_EQ(inner_.runs, 1) << "the folder of a job has no name of its own";
  EXPECT_EQ(*read_file(second->path() / "seen"), "evidence");
}

TEST_F(CachedExecutorTest, OnlyRunsToTheEndCount) {
  for (Verdict verdict : {Verdict::kInfraError, Verdict::kCancelled, Verdict::kNotRun}) {
    inner_.verdicts = {verdict};
    job({request()});
    EXPECT_EQ(cache_.size(), 0u) << to_string(verdict);
  }
  for (Verdict verdict : {Verdict::kPassed, Verdict::kCrashed, Verdict::kFailed}) {
    check_.command = {std::string(to_string(verdict))};
    inner_.verdicts = {verdict};
    job({request()});
    EXPECT_EQ(job({request()}).front().verdict, verdict);
  }
}

TEST_F(CachedExecutorTest, WhatDiffersFromRunToRunIsForgotten) {
  job({request()});
  inner_.verdicts = {Verdict::kPassed};
  std::vector<CheckRun> runs = job({request(), request()});
  EXPECT_EQ(runs[0].origin, Origin::kCache);
  EXPECT_EQ(runs[1].verdict, Verdict::kPassed);
  EXPECT_EQ(cache_.size(), 0u);
}

TEST_F(CachedExecutorTest, ATimeOutHoldsForNoMoreTimeThanItHad) {
  inner_.verdicts = {Verdict::kTimedOut};
  job({request()});
  EXPECT_EQ(job({request()}).front().origin, Origin::kCache);
  check_.timeout = milliseconds(9'000);
  EXPECT_EQ(job({request()}).front().origin, Origin::kCache);
  check_.timeout = milliseconds(11'000);
  EXPECT_EQ(job({request()}).front().origin, Origin::kRun);
}

TEST_F(CachedExecutorTest, AnEndHoldsForNoLessTimeThanItTook) {
  job({request()});
  check_.timeout = milliseconds(2'500);
  EXPECT_EQ(job({request()}).front().origin, Origin::kCache);
  check_.timeout = milliseconds(1'500);
  EXPECT_EQ(job({request()}).front().origin, Origin::kRun);
}

TEST_F(CachedExecutorTest, ATreeThatChangedOnTheWayLeavesNothing) {
  JobMemory memory(cache_, folder_->path(), surroundings_);
  CachedExecutor executor(inner_, memory);
  executor.run(request(), CancelToken());
  std::ofstream(folder_->path() / "m.py") << "x = 100\n";
  memory.commit();
  EXPECT_EQ(cache_.size(), 0u);
}

TEST_F(CachedExecutorTest, ADamagedRecordIsNone) {
  job({request()});
  class Damaged final : public VerdictCache {
    std::optional<std::string> find(const std::string&) override { return "\xa1\x01"; }
    void keep(const std::vector<VerdictRecord>&) override {}
    void forget(const std::vector<std::string>&) override {}
  } damaged;
  JobMemory memory(damaged, folder_->path(), surroundings_);
  CachedExecutor executor(inner_, memory);
  EXPECT_EQ(executor.run(request(), CancelToken()).origin, Origin::kRun);
}

}  // namespace
}  // namespace suture
