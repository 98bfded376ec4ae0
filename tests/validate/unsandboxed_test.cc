#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "repair/validate/counting_executor.h"
#include "repair/validate/local_executor.h"
#include "tests/process/traces.h"
#include "tests/validate/executor_fixture.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::processes_with;
using testing::slurp;

class UnsandboxedTest : public testing::ExecutorFixture {
 protected:
  std::unique_ptr<Executor> make() override {
    return make_unsandboxed_executor(options_, runner_, Weakening{"a test"});
  }
};

TEST_F(UnsandboxedTest, CandidateIsSeenInACopy) {
  fs::permissions(tree_ / "run.sh", fs::perms(0750));
  CheckRun run = sh("cat package/module.txt new/file; stat -c %a run.sh; rm -r package",
                    {{"package/module.txt", "new\n"}, {"new/file", "fresh\n"}, {"run.sh", "x"}});
  EXPECT_EQ(run.output, "new\nfresh\n750\n");
  EXPECT_EQ(run.verdict, Verdict::kPassed);
  EXPECT_EQ(slurp(tree_ / "package" / "module.txt"), "old\n");
  EXPECT_FALSE(fs::exists(tree_ / "new"));
  EXPECT_EQ(testing::count_entries(fs::temp_directory_path(), "suture-run-"), 0u);
}

TEST_F(UnsandboxedTest, PathsOfTheTreeFollowIt) {
  check_.command = {"sh", "-c",
                    "cat " + tree_.string() + "/package/module.txt; echo $PYTHONPATH $X"};
  check_.env = {{"X", tree_.string() + "-not"}};
  RunRequest request;
  request.check = &check_;
  request.files = {{"package/module.txt", "new\n"}};
  request.python_path = {tree_.string() + "/src", "/other"};
  CheckRun result = run(request);
  EXPECT_TRUE(result.output.starts_with("new\n")) << result.output;
  EXPECT_EQ(result.output.find(tree_.string() + "/src"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("/tree/src:/other " + tree_.string() + "-not\n"), std::string::npos)
      << result.output;
}

TEST_F(UnsandboxedTest, VerdictsAreTheSame) {
  EXPECT_EQ(sh("exit 0").verdict, Verdict::kPassed);
  EXPECT_EQ(sh("exit 127").verdict, Verdict::kFailed);
  EXPECT_EQ(sh("kill -SEGV $$").verdict, Verdict::kCrashed);
  EXPECT_EQ(sh("kill -KILL $$").verdict, Verdict::kCrashed);
  check_.command = {"no-such-program"};
  RunRequest request;
  request.check = &check_;
  CheckRun result = run(request);
  EXPECT_EQ(result.verdict, Verdict::kInfraError);
  EXPECT_NE(result.reason.find("no-such-program"), std::string::npos) << result.reason;
}

TEST_F(UnsandboxedTest, DaemonsDoNotSurvive) {
  std::string seconds = testing::unique_seconds();
  std::string daemon = "setsid sh -c 'trap \"\" TERM HUP; sleep " + seconds +
                       "; true' >/dev/null 2>&1 </dev/null & ";
  EXPECT_EQ(sh("(" + daemon + "); sleep 0.2").verdict, Verdict::kPassed);
  EXPECT_TRUE(processes_with(seconds).empty());
  check_.timeout = 1s;
  EXPECT_EQ(sh("(" + daemon + "); sleep " + seconds).verdict, Verdict::kTimedOut);
  EXPECT_TRUE(processes_with(seconds).empty());
}

TEST_F(UnsandboxedTest, CountsRuns) {
  CountingExecutor counting(executor());
  check_.command = {"sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"};
  RunRequest request;
  request.check = &check_;
  double wall = 0;
  for (int i = 0; i < 3; ++i) wall += counting.run(request, CancelToken()).use.wall_seconds;
  check_.command = {"no-such-program"};
  counting.run(request, CancelToken());
  RunTotals totals = counting.totals();
  EXPECT_EQ(totals.runs, 4u);
  EXPECT_EQ(totals.infra_errors, 1u);
  EXPECT_GE(totals.wall_seconds, wall);
  EXPECT_GT(totals.cpu_seconds, 0);
}

}  // namespace
}  // namespace suture
