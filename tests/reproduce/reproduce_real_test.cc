// With a real interpreter in the real sandbox.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "repair/base/file.h"
#include "repair/process/asio_process_runner.h"
#include "repair/reproduce/installed.h"
#include "repair/reproduce/reproduce.h"
#include "repair/validate/local_executor.h"
#include "tests/support/shell.h"

namespace suture {
namespace {
namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

class RealReproduction : public ::testing::Test {
 protected:
  RealReproduction() : folder_(TemporaryFolder::make("suture-test-").value()) {
    tree_ = folder_.path() / "tree";
    testing::write(tree_ / "lib.py", "def half(x):\n    kept = x / 2\n    return kept\n");
    testing::write(tree_ / "mine" / "__init__.py", "");
    check_.timeout = std::chrono::seconds(60);
  }

  std::unique_ptr<Executor> make(bool sandboxed = true) {
    LocalExecutorOptions options;
    options.tree = tree_;
    options.environment = base_environment(python_, {});
    if (sandboxed) return make_sandboxed_executor(options, runner_);
    return make_unsandboxed_executor(options, runner_, Weakening{"test"});
  }

  Reproduced run(bool sandboxed = true) {
    NullSink events;
    return reproduce(check_, tree_, *make(sandboxed), events, CancelToken(),
                     [](const CheckRun&) {});
  }

  TemporaryFolder folder_;
  fs::path tree_;
  fs::path python_ = "/usr/bin/python3";
  AsioProcessRunner runner_;
  Check check_;
};

TEST_F(RealReproduction, BringsEvidenceOutOfTheSandbox) {
  check_.command = {"python3", "-c", "import lib; assert lib.half(3) == 1"};
  Reproduced got = run();
  ASSERT_EQ(got.outcome, Reproduction::kRed) << got.reason;
  EXPECT_EQ(got.failure.kind, FailureKind::kAssertion);
  ASSERT_FALSE(got.evidence.empty()) << got.reason;
  ASSERT_EQ(got.evidence.operands.size(), 1u);
  EXPECT_EQ(got.evidence.operands[0].expression, "lib.half(3)");
  EXPECT_EQ(got.evidence.operands[0].value.repr, "1.5");
  EXPECT_TRUE(got.evidence.was_executed("lib.py", 2));
}

TEST_F(RealReproduction, WorksWithoutTheSandbox) {
  testing::write(tree_ / "tests" / "test_lib.py", "import lib\nassert lib.half(3) == 1\n");
  check_.command = {"python3", "tests/test_lib.py"};
  check_.env = {{"PYTHONPATH", "."}};
  Reproduced got = run(false);
  ASSERT_EQ(got.outcome, Reproduction::kRed) << got.reason;
  ASSERT_FALSE(got.evidence.empty()) << got.reason;
  EXPECT_THAT(got.evidence.check_files, Contains((tree_ / "tests" / "test_lib.py").string()));
}

TEST_F(RealReproduction, SaysWhereItHangs) {
  testing::write(tree_ / "lib.py", "import time\ndef wait(n):\n    time.sleep(n)\n");
  check_.command = {"python3", "-c", "import lib; lib.wait(99)"};
  check_.timeout = std::chrono::seconds(5);  // time enough to start on a busy machine
  Reproduced got = run();
  ASSERT_EQ(got.outcome, Reproduction::kRed) << got.reason;
  EXPECT_EQ(got.failure.kind, FailureKind::kHang);
  const LiveFrame* frame = got.evidence.deepest_tree_frame();
  ASSERT_NE(frame, nullptr) << got.reason;
  EXPECT_EQ(frame->at.line, 3);
  EXPECT_EQ(frame->locals.at("n").repr, "99");
}

TEST_F(RealReproduction, AsksInstalledPackages) {
  std::unique_ptr<Executor> executor = make();
  ProbeInstalled installed(*executor, "python3", {{"PYTHONPATH", "."}}, {"mine", "json"},
                           CancelToken());
  EXPECT_TRUE(installed.has_module("collections.abc"));
  EXPECT_FALSE(installed.has_module("no_such_module"));
  EXPECT_FALSE(installed.has_module("lib")) << "the tree is not installed";
  EXPECT_FALSE(installed.has_module("mine"));
  EXPECT_FALSE(installed.has_module("json")) << "the tree provides it";
  EXPECT_THAT(installed.names_of("json"), IsEmpty());
  EXPECT_THAT(installed.names_of("collections"), Contains("OrderedDict"));
  auto parameters = installed.signature("textwrap:dedent");
  ASSERT_TRUE(parameters);
  EXPECT_TRUE(installed.signature("concurrent.futures:wait"));
  EXPECT_EQ(parameters->at(0).name, "text");
  auto exports = installed.exporters("Mapping", "collections");
  ASSERT_THAT(exports, Not(IsEmpty()));
  EXPECT_EQ(exports[0].module, "collections.abc");
  EXPECT_THAT(installed.names_of("concurrent"), Not(Contains("futures")))
      << "what an earlier question imported does not show";
}

}  // namespace
}  // namespace suture
