#include "client/eval/child_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "repair/base/file.h"
#include "tests/eval/lines.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class FakeProcesses final : public ProcessRunner {
 public:
  ProcessResult run(const ProcessSpec& spec, const CancelToken&) override {
    specs.push_back(spec);
    if (during) during(spec);
    return result;
  }
  std::vector<ProcessSpec> specs;
  std::function<void(const ProcessSpec&)> during;
  ProcessResult result;
};

class ChildRunnerTest : public testing::Test {
 protected:
  ChildRunnerTest() {
    fs::create_directories(folder_.path() / "bug-1");
    options_.program = "/bin/suture";
    options_.dataset = "d.jsonl";
    options_.setup.trees = folder_.path();
    options_.setup.python = "/usr/bin/python3";
    options_.setup.budget = {std::chrono::seconds(60), std::nullopt};
    processes_.result.ending = Ending::kExited;
    processes_.result.out = write_instance_result({full_line(""), {"careful"}});
  }
  Result<InstanceResult> run(const std::string& id = "bug-1") {
    return ChildRunner(options_, processes_)
        .run(Instance{id, "", {{"true"}, {}, kTimeout}}, cancel_);
  }

  static constexpr std::chrono::seconds kTimeout{10};
  TemporaryFolder folder_ = TemporaryFolder::make().value();
  ChildRunner::Options options_;
  FakeProcesses processes_;
  CancelToken cancel_;
};

TEST_F(ChildRunnerTest, HandsTheTaskOverAndTakesTheResult) {
  Result<InstanceResult> result = run();
  ASSERT_TRUE(result) << result.error().display();
  EXPECT_EQ(result->line, full_line(""));  // the process is not told the id
  EXPECT_THAT(result->warnings, ElementsAre("careful"));
  ASSERT_EQ(processes_.specs.size(), 1u);
  EXPECT_THAT(processes_.specs[0].argv, ElementsAre("/bin/suture", "eval-one"));
  Result<RepairTask> task = read_task(processes_.specs[0].input);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->tree, folder_.path() / "bug-1");
}

TEST_F(ChildRunnerTest, ScratchFolderGoesWithTheProcess) {
  fs::path scratch;
  processes_.during = [&](const ProcessSpec& spec) {
    scratch = spec.env.at("TMPDIR");
    EXPECT_TRUE(fs::is_directory(scratch));
  };
  ASSERT_TRUE(run());
  EXPECT_FALSE(fs::exists(scratch));
}

TEST_F(ChildRunnerTest, AMissingTreeSaysHowToMakeIt) {
  Result<InstanceResult> result = run("bug-2");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInfra);
  EXPECT_THAT(result.error().display(),
              HasSubstr("bugs.py prepare d.jsonl --trees " + folder_.path().string() + " bug-2"));
  EXPECT_TRUE(processes_.specs.empty());
}

TEST_F(ChildRunnerTest, ACrashLosesOneBugOnly) {
  processes_.result = {};
  processes_.result.ending = Ending::kSignaled;
  processes_.result.code = SIGSEGV;
  processes_.result.output = "last words\n";
  Result<InstanceResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->line.outcome, "INFRA_ERROR");
  EXPECT_THAT(result->line.reason, HasSubstr("crashed: signal 11"));
  EXPECT_THAT(result->line.reason, HasSubstr("last words"));
}

TEST_F(ChildRunnerTest, AnErrorOfTheProcessIsShown) {
  processes_.result.code = 70;
  processes_.result.out.clear();
  processes_.result.output = "suture eval: not a repair task";
  Result<InstanceResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->line.outcome, "INFRA_ERROR");
  EXPECT_THAT(result->line.reason, HasSubstr("ended with status 70"));
}

TEST_F(ChildRunnerTest, InterruptionLeavesNoResult) {
  processes_.result = {};
  processes_.result.ending = Ending::kCancelled;
  cancel_.cancel();
  Result<InstanceResult> result = run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kCancelled);
}

TEST_F(ChildRunnerTest, AProcessThatHangsIsEnded) {
  ASSERT_TRUE(run());
  EXPECT_EQ(processes_.specs[0].limits.wall, std::chrono::seconds(60 + 10 * 10 + 300));
}

TEST(Patience, TheTighterBudgetCounts) {
  RepairTask task;
  task.check.timeout = std::chrono::seconds(1);
  task.budget = {std::nullopt, 20};
  EXPECT_EQ(patience(task), std::chrono::seconds(20 + 10 + 300));
  task.budget.time = std::chrono::seconds(5);
  EXPECT_EQ(patience(task), std::chrono::seconds(5 + 10 + 300));
}

}  // namespace
}  // namespace suture
