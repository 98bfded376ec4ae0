#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "client/cli/exit_code.h"
#include "tests/support/shell.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryOptions;
using testing::BinaryRun;
using testing::BrokenTree;
using ::testing::HasSubstr;
using testing::processes_with;
using testing::state_of;

/// Each check run sleeps a while under a name that nobody else has, so that runs left behind are
/// found.
class InterruptTest : public ::testing::Test {
 protected:
  InterruptTest() : marker_("0.7000" + std::to_string(getpid())) {
    broken_.write("check.py",
                  "import subprocess\n"
                  "from pkg.lookup import name_of\n"
                  "subprocess.run(['sleep', '" +
                      marker_ +
                      "'])\n"
                      "assert name_of({}, 'missing') is None\n");
    before_ = state_of(broken_.tree());
  }

  /// Sends the signal once when the stage has begun.
  BinaryOptions signal_at(const std::string& stage, int signal) {
    BinaryOptions options;
    options.meanwhile = [this, stage, signal, sent = false](int pid) mutable {
      if (sent || testing::slurp(events()).find("\"stage\":\"" + stage + "\"") == std::string::npos)
        return;
      kill(pid, signal);
      sent = true;
      was_sent_ = true;
    };
    return options;
  }

  std::filesystem::path events() { return broken_.beside() / "events"; }

  void expect_nothing_left() {
    EXPECT_EQ(state_of(broken_.tree()), before_);
    EXPECT_TRUE(processes_with(marker_).empty());
    EXPECT_TRUE(std::filesystem::is_empty(broken_.tmp()));
  }

  BrokenTree broken_;
  std::string marker_, before_;
  bool was_sent_ = false;
};

class InterruptAtStageTest : public InterruptTest,
                             public ::testing::WithParamInterface<const char*> {};

TEST_P(InterruptAtStageTest, EndsCleanly) {
  std::filesystem::remove(events());
  BinaryRun run = broken_.repair({"--apply", "--jobs", "2", "--events", events().string()},
                                 signal_at(GetParam(), SIGINT));
  ASSERT_TRUE(was_sent_) << "no event of that stage" << run.out << run.err;
  EXPECT_EQ(run.status, kExitInterrupted) << run.out << run.err;
  expect_nothing_left();
  EXPECT_LT(run.seconds, 60);
}

/// Whatever stage the signal is meant for, check runs of most of a second are still to come. After
/// `present` there is nothing left to interrupt: that stage has a test in tests/pipeline.
INSTANTIATE_TEST_SUITE_P(Stages, InterruptAtStageTest,
                         ::testing::Values("report", "reproduce", "locate", "propose", "rank",
                                           "validate"),
                         [](const auto& stage) { return std::string(stage.param); });

/// Some stages are over in a moment; a signal at many times hits them all in the long run.
TEST_F(InterruptTest, AtAnyTime) {
  for (int milliseconds : {1, 15, 40, 80, 150, 300, 700, 1200, 1800, 2500}) {
    BinaryOptions options;
    auto start = std::chrono::steady_clock::now();
    options.meanwhile = [=, sent = false](int pid) mutable {
      auto passed = std::chrono::steady_clock::now() - start;
      if (sent || passed < std::chrono::milliseconds(milliseconds)) return;
      kill(pid, SIGINT);
      sent = true;
    };
    BinaryRun run = broken_.repair({}, options);
    EXPECT_THAT(run.status, ::testing::AnyOf(kExitInterrupted, kExitPatched))
        << milliseconds << run.out << run.err;
    expect_nothing_left();
  }
}

TEST_F(InterruptTest, TerminateAndHangUpAreTheSame) {
  for (int signal : {SIGTERM, SIGHUP}) {
    std::filesystem::remove(events());
    BinaryRun run = broken_.repair({"--events", events().string()}, signal_at("reproduce", signal));
    EXPECT_EQ(run.status, kExitInterrupted) << run.out << run.err;
    expect_nothing_left();
  }
}

TEST_F(InterruptTest, WhileWaitingForTheReport) {
  // The report comes through a fifo that nobody writes to: as a terminal where nobody types.
  std::string fifo = (broken_.beside() / "fifo").string();
  ASSERT_EQ(testing::shell(broken_.beside(), "mkfifo fifo").status, 0);
  BinaryOptions options;
  options.wrapper = {"sh", "-c", "exec \"$@\" 0<>'" + fifo + "'", "sh"};
  auto start = std::chrono::steady_clock::now();
  options.meanwhile = [&, sent = false](int pid) mutable {
    if (sent || std::chrono::steady_clock::now() - start < std::chrono::milliseconds(700)) return;
    kill(pid, SIGINT);
    sent = true;
  };
  BinaryRun run = broken_.repair({"--report", "-"}, options);
  EXPECT_EQ(run.status, kExitInterrupted) << run.out << run.err;
  EXPECT_LT(run.seconds, 20);
  expect_nothing_left();
}

TEST_F(InterruptTest, TheSecondOneEndsAtOnce) {
  BinaryOptions options;
  options.meanwhile = [&](int pid) {
    if (testing::slurp(events()).find("\"stage\":\"reproduce\"") != std::string::npos)
      kill(pid, SIGINT);  // every 20 ms
  };
  BinaryRun run = broken_.repair({"--events", events().string()}, options);
  EXPECT_EQ(run.status, kExitInterrupted) << run.out << run.err;
  EXPECT_EQ(state_of(broken_.tree()), before_);
  for (int i = 0; i < 100 && !processes_with(marker_).empty(); ++i) usleep(50'000);
  EXPECT_TRUE(processes_with(marker_).empty()) << "the kernel kills them with suture";
}

}  // namespace
}  // namespace suture
