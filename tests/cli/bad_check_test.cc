#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cli/exit_code.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryRun;
using testing::BrokenTree;
using ::testing::HasSubstr;
using testing::processes_with;
using testing::state_of;

class BadCheckTest : public ::testing::Test {
 protected:
  BadCheckTest() : marker_("1000." + std::to_string(getpid())) {}
  ~BadCheckTest() override {
    EXPECT_TRUE(processes_with(marker_).empty()) << "a process was left behind";
  }

  /// Repairs with the check alone and looks that nothing of the user's was touched and nothing left
  /// behind.
  BinaryRun repair(const std::string& check, std::vector<std::string> arguments = {}) {
    std::string before = state_of(broken_.tree());
    arguments.insert(arguments.begin(), {"--check", check});
    BinaryRun run = broken_.repair_without_check(arguments);
    EXPECT_EQ(state_of(broken_.tree()), before);
    EXPECT_TRUE(std::filesystem::is_empty(broken_.tmp()));
    return run;
  }

  std::string marker_;  ///< of `sleep`: seconds that nobody else sleeps
  BrokenTree broken_;
};

TEST_F(BadCheckTest, NotFound) {
  for (const auto& [check, message] : std::map<std::string, std::string>{
           {"no-such-program --x", "check not found: no program no-such-program"},
           {"python none.py", "check not found: no script none.py"},
           {"python -m pytest none_test.py::test_x", "check not found: no test file none_test.py"},
           {"./none.sh", "check not found: no program ./none.sh"},
       }) {
    BinaryRun run = repair(check);
    EXPECT_EQ(run.status, kExitUsage) << check;
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_EQ(run.out, "");
  }
}

TEST_F(BadCheckTest, PassesAlready) {
  BinaryRun run = repair("python -c pass");
  EXPECT_EQ(run.status, kExitNotReproduced) << run.err;
  EXPECT_THAT(run.out, HasSubstr("NOT_REPRODUCED"));
}

/// A check that does as it is told: each run takes one letter out of a pipe, r for red. The pipe is
/// the one thing that outlives a sandbox and can be read from inside.
class ToldCheck {
 public:
  ToldCheck(const BrokenTree& broken, const std::string& letters)
      : folder_(broken.beside() / "told") {
    std::filesystem::create_directories(folder_);
    std::string path = (folder_ / "letters").string();
    EXPECT_EQ(mkfifo(path.c_str(), 0666), 0);
    EXPECT_EQ(chmod(path.c_str(), 0666), 0);
    pipe_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_EQ(::write(pipe_, letters.data(), letters.size()), ssize_t(letters.size()));
    broken.write("check.py",
                 "import os, sys\n"
                 "letter = os.read(os.open('" +
                     path +
                     "', os.O_RDONLY), 1)\n"
                     "sys.exit(letter == b'r')\n");
  }
  ~ToldCheck() { close(pipe_); }

  std::vector<std::string> options() const { return {"--readable", folder_.string()}; }
  int letters_left() const {
    int bytes = -1;
    ioctl(pipe_, FIONREAD, &bytes);
    return bytes;
  }

 private:
  std::filesystem::path folder_;
  int pipe_ = -1;
};

TEST_F(BadCheckTest, Flaky) {
  for (std::string letters : {"rgg", "grr"}) {
    std::filesystem::remove_all(broken_.beside() / "told");
    ToldCheck check(broken_, letters);
    std::vector<std::string> arguments = check.options();
    arguments.push_back(
        "--fresh-only");  // a warm process that begins meanwhile takes a letter, too
    BinaryRun run = repair("python check.py", arguments);
    EXPECT_EQ(run.status, kExitNotReproduced) << letters << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("FLAKY_CHECK")) << letters;
    EXPECT_EQ(check.letters_left(), 0) << "one run each, and one to tell chance from the trace";
  }
}

TEST_F(BadCheckTest, GreenOnlyWhenTracedIsRed) {
  ToldCheck check(broken_, "rgr" + std::string(60, 'r'));
  std::vector<std::string> arguments = check.options();
  arguments.insert(arguments.end(), {"--budget", "5 runs"});
  BinaryRun run = repair("python check.py", arguments);
  EXPECT_EQ(run.status, kExitNoPatch) << run.out << run.err;
}

TEST_F(BadCheckTest, Hangs) {
  BinaryRun run =
      repair("sleep " + marker_, {"--timeout", "2s", "--budget", "10 runs", "--budget", "60s"});
  EXPECT_EQ(run.status, kExitNoPatch) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("NO_PATCH"));
}

TEST_F(BadCheckTest, ForksAndIgnoresSignals) {
  broken_.write("check.sh",
                "trap '' INT TERM HUP\n"
                "(setsid sh -c \"trap '' TERM HUP; sleep " +
                    marker_ +
                    "; true\" &)\n"
                    "sleep " +
                    marker_ +
                    " &\n"
                    "sleep " +
                    marker_ + "; true\n");
  BinaryRun run = repair("sh check.sh", {"--timeout", "2s", "--budget", "5 runs"});
  EXPECT_EQ(run.status, kExitNoPatch) << run.out << run.err;
}

TEST_F(BadCheckTest, LeavesAProcessBehindAndFails) {
  broken_.write("check.sh", "sleep " + marker_ + " &\nexit 1\n");
  BinaryRun run = repair("sh check.sh", {"--budget", "5 runs", "--timeout", "20s"});
  EXPECT_EQ(run.status, kExitNoPatch) << run.out << run.err;
  EXPECT_LT(run.seconds, 120);
}

TEST_F(BadCheckTest, PrintsWithoutEnd) {
  BinaryRun run = repair("python -c 'while True: print(\"x\" * 1000)'",
                         {"--timeout", "2s", "--budget", "5 runs"});
  EXPECT_EQ(run.status, kExitNoPatch) << run.out << run.err;
  EXPECT_LT(run.out.size(), 100'000u);
  EXPECT_LT(run.err.size(), 100'000u);
}

TEST_F(BadCheckTest, PrintsWhatSteersATerminal) {
  broken_.write("check.py", "import sys\nsys.exit('\\x1b]0;owned\\x07 ValueError: \\x1b[2J')\n");
  BinaryRun run = repair("python check.py", {"--budget", "5 runs", "-v"});
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
}

TEST_F(BadCheckTest, WritesIntoItsTree) {
  broken_.write("check.py",
                "import pathlib, sys\n"
                "pathlib.Path('pkg/lookup.py').write_text('overwritten')\n"
                "pathlib.Path('new').write_text('x')\n"
                "sys.exit(1)\n");
  for (std::vector<std::string> sandbox : {std::vector<std::string>{}, {"--no-sandbox"}}) {
    sandbox.insert(sandbox.end(), {"--budget", "3 runs"});
    EXPECT_EQ(repair("python check.py", sandbox).status, kExitNoPatch);
  }
}

}  // namespace
}  // namespace suture
