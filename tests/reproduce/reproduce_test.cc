#include "repair/reproduce/reproduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/shell.h"

namespace suture {
namespace {
namespace fs = std::filesystem;

using ::testing::HasSubstr;

constexpr const char* kTracedFailure = R"({"format": 1, "python": "3.11.7", "tree": "/copy/tree",
  "exceptions": [{"type": "KeyError", "module": "builtins", "message": "'k'", "frames": [
    {"file": "/copy/tree/tests/test_a.py", "in_check": true, "at": [3, 3, -1, -1]},
    {"file": "a.py", "in_tree": true, "function": "f", "at": [7, 7, -1, -1]}]}],
  "check_files": ["/copy/tree/tests/test_a.py"]})";

/// Answers runs from a list; a traced run also writes evidence, as the probe would.
class FakeExecutor final : public Executor {
 public:
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken&) override {
    auto out = request.env.find("SUTURE_PROBE_OUT");
    bool traced = out != request.env.end();
    requests.push_back(request);
    timeouts.push_back(request.check->timeout);
    if (traced && write_evidence) write_evidence(out->second);
    auto& answers = traced ? traced_answers : plain_answers;
    CheckRun run = answers.front();
    answers.pop_front();
    return run;
  }

  std::deque<CheckRun> plain_answers, traced_answers;
  std::function<void(const fs::path&)> write_evidence;
  std::vector<RunRequest> requests;
  std::vector<std::chrono::milliseconds> timeouts;
};

CheckRun ended(Verdict verdict, std::string output = "") {
  CheckRun run;
  run.verdict = verdict;
  run.code = verdict == Verdict::kPassed ? 0 : 1;
  run.output = std::move(output);
  return run;
}

class ReproduceTest : public ::testing::Test {
 protected:
  ReproduceTest() {
    check_.command = {"python3", "check.py"};
    check_.timeout = std::chrono::seconds(10);
    executor_.write_evidence = [](const fs::path& path) { testing::write(path, kTracedFailure); };
  }

  Reproduced run(std::deque<Verdict> plain, std::deque<Verdict> traced, std::string output = "") {
    for (Verdict verdict : plain) executor_.plain_answers.push_back(ended(verdict, output));
    for (Verdict verdict : traced) executor_.traced_answers.push_back(ended(verdict, output));
    NullSink events;
    return reproduce(check_, "/home/me/tree", executor_, events, cancel_,
                     [this](const CheckRun&) { ++reds_; });
  }

  Check check_;
  FakeExecutor executor_;
  CancelToken cancel_;
  int reds_ = 0;  ///< how often `on_red` was called
};

TEST_F(ReproduceTest, RedTwiceIsRed) {
  Reproduced got = run({Verdict::kFailed}, {Verdict::kFailed});
  EXPECT_EQ(got.outcome, Reproduction::kRed);
  ASSERT_NE(got.evidence.failure(), nullptr);
  EXPECT_EQ(got.failure.type, "KeyError");
  EXPECT_EQ(got.failure.kind, FailureKind::kException);
  EXPECT_EQ(got.failure.frames.back().line, 7);
  EXPECT_EQ(reds_, 1);
}

TEST_F(ReproduceTest, TheTracedRunGetsTheProbeAndMoreTime) {
  run({Verdict::kFailed}, {Verdict::kFailed});
  const RunRequest& traced = executor_.requests.at(1);
  EXPECT_EQ(traced.env.at("SUTURE_PROBE_TREE"), "/home/me/tree");
  ASSERT_EQ(traced.python_path.size(), 1u);
  EXPECT_TRUE(fs::exists(fs::path(traced.python_path[0]) / "sitecustomize.py"));
  EXPECT_EQ(traced.mounts.at(0).access, Mount::Access::kRead);
  EXPECT_EQ(traced.mounts.at(1).access, Mount::Access::kWrite);
  EXPECT_EQ(fs::path(traced.env.at("SUTURE_PROBE_OUT")).parent_path(), traced.mounts[1].inside);
  EXPECT_EQ(executor_.timeouts.at(1), std::chrono::seconds(30));
  EXPECT_EQ(traced.env.at("SUTURE_PROBE_DEADLINE"), "25.000");
  EXPECT_TRUE(executor_.requests[0].env.empty());
  EXPECT_FALSE(fs::exists(traced.mounts[1].host)) << "the folder goes when it has been read";
}

TEST_F(ReproduceTest, PathsOfACopyAreThoseOfTheTree) {
  Reproduced got = run({Verdict::kFailed}, {Verdict::kFailed});
  EXPECT_EQ(got.evidence.check_files.at(0), "/home/me/tree/tests/test_a.py");
  EXPECT_EQ(got.evidence.failure()->frames.at(0).file, "/home/me/tree/tests/test_a.py");
}

TEST_F(ReproduceTest, TheOutputSpeaksFirst) {
  Reproduced got = run({Verdict::kFailed}, {Verdict::kFailed},
                       "Traceback (most recent call last):\n  File \"c.py\", line 2, in <module>\n"
                       "    f()\nValueError: printed\n");
  EXPECT_EQ(got.failure.type, "ValueError");
  EXPECT_EQ(got.failure.message, "printed");
}

TEST_F(ReproduceTest, GreenTwiceIsNotReproduced) {
  EXPECT_EQ(run({Verdict::kPassed}, {Verdict::kPassed}).outcome, Reproduction::kNotReproduced);
  EXPECT_EQ(executor_.requests.size(), 2u);
  EXPECT_EQ(reds_, 0);
}

TEST_F(ReproduceTest, ATraceThatHidesTheFailureCostsTheEvidenceOnly) {
  Reproduced got = run({Verdict::kFailed, Verdict::kFailed}, {Verdict::kPassed});
  EXPECT_EQ(got.outcome, Reproduction::kRed);
  EXPECT_TRUE(got.evidence.empty());
  EXPECT_THAT(got.reason, HasSubstr("tracing"));
}

TEST_F(ReproduceTest, ATraceThatIsTooSlowCostsTheEvidenceOnly) {
  Reproduced got = run({Verdict::kFailed, Verdict::kFailed}, {Verdict::kTimedOut});
  EXPECT_EQ(got.outcome, Reproduction::kRed);
  EXPECT_TRUE(got.evidence.empty());
}

TEST_F(ReproduceTest, OnceRedOnceGreenIsFlaky) {
  EXPECT_EQ(run({Verdict::kFailed, Verdict::kPassed}, {Verdict::kPassed}).outcome,
            Reproduction::kFlaky);
  EXPECT_EQ(run({Verdict::kPassed, Verdict::kFailed}, {Verdict::kFailed}).outcome,
            Reproduction::kFlaky);
}

TEST_F(ReproduceTest, RedOnlyWhenTracedIsNotReproduced) {
  Reproduced got = run({Verdict::kPassed, Verdict::kPassed}, {Verdict::kFailed});
  EXPECT_EQ(got.outcome, Reproduction::kNotReproduced);
  EXPECT_TRUE(got.evidence.empty());
}

TEST_F(ReproduceTest, TimedOutTwiceIsAHang) {
  Reproduced got = run({Verdict::kTimedOut}, {Verdict::kTimedOut});
  EXPECT_EQ(got.outcome, Reproduction::kRed);
  EXPECT_EQ(got.failure.kind, FailureKind::kHang);
  EXPECT_EQ(executor_.timeouts.at(1), std::chrono::seconds(10)) << "once more, not three times";
}

TEST_F(ReproduceTest, ASignalIsASignal) {
  executor_.write_evidence = nullptr;
  Reproduced got = run({Verdict::kCrashed}, {Verdict::kCrashed});
  EXPECT_EQ(got.outcome, Reproduction::kRed);
  EXPECT_EQ(got.failure.kind, FailureKind::kSignal);
}

TEST_F(ReproduceTest, AFailedExitWithoutAnExceptionIsAnAssertion) {
  executor_.write_evidence = nullptr;
  Reproduced got = run({Verdict::kFailed}, {Verdict::kFailed}, "four layers were dropped\n");
  EXPECT_EQ(got.failure.kind, FailureKind::kAssertion);
}

TEST_F(ReproduceTest, InfrastructureIsNoVerdict) {
  EXPECT_EQ(run({Verdict::kInfraError}, {}).outcome, Reproduction::kInfra);
  EXPECT_EQ(run({Verdict::kFailed}, {Verdict::kInfraError}).outcome, Reproduction::kInfra);
  EXPECT_EQ(run({Verdict::kCancelled}, {}).outcome, Reproduction::kCancelled);
}

TEST_F(ReproduceTest, OverwrittenEvidenceIsNoEvidence) {
  for (const char* text : {"", "{", "[1]"}) {
    executor_.write_evidence = [&](const fs::path& path) { testing::write(path, text); };
    Reproduced got = run({Verdict::kFailed}, {Verdict::kFailed});
    EXPECT_EQ(got.outcome, Reproduction::kRed);
    EXPECT_TRUE(got.evidence.empty());
    EXPECT_NE(got.reason, "");
  }
}

TEST_F(ReproduceTest, ALinkInPlaceOfTheEvidenceIsNotFollowed) {
  executor_.write_evidence = [](const fs::path& path) {
    testing::write(path.parent_path() / "real", kTracedFailure);
    fs::create_symlink(path.parent_path() / "real", path);
  };
  EXPECT_TRUE(run({Verdict::kFailed}, {Verdict::kFailed}).evidence.empty());
}

TEST_F(ReproduceTest, AChildSpeaksWhereTheFirstProcessOnlyWaited) {
  executor_.write_evidence = [](const fs::path& path) {
    testing::write(path, R"({"format": 1, "python": "3.11.7", "exceptions": [
      {"type": "SystemExit", "frames": [{"file": "/c.py", "in_check": true}]}]})");
    testing::write(path.string() + ".1", "");
    testing::write(path.string() + ".2", R"({"format": 1, "python": "3.11.7",
      "exceptions": [{"type": "SystemExit", "message": "1"}],
      "swallowed": [{"type": "ValueError", "escaped": true,
                     "frames": [{"file": "a.py", "in_tree": true}]}]})");
  };
  Reproduced got = run({Verdict::kFailed}, {Verdict::kFailed});
  ASSERT_NE(got.evidence.failure(), nullptr);
  EXPECT_EQ(got.evidence.failure()->type, "ValueError");
}

}  // namespace
}  // namespace suture
