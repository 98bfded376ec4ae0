#include "client/cli/check_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "client/cli/shell_words.h"
#include "repair/base/file.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A folder with programs that do nothing, as an interpreter's folder, and a tree beside it.
class CheckCommandTest : public ::testing::Test {
 protected:
  CheckCommandTest() {
    program("bin/python3.11");
    std::filesystem::create_symlink("python3.11", bin() / "python3");
    interpreter_.path = bin() / "python3.11";
    testing::write(tree() / "tests/test_x.py", "");
    testing::write(tree() / "repro.py", "");
  }
  void program(const std::string& name) {
    testing::write(folder_.path() / name, "#!/bin/sh\n");
    chmod((folder_.path() / name).c_str(), 0755);
  }
  std::filesystem::path bin() { return folder_.path() / "bin"; }
  std::filesystem::path tree() { return folder_.path() / "tree"; }
  std::vector<std::string> with(std::vector<std::string> command) {
    return with_interpreter(Check{std::move(command)}, interpreter_).command;
  }
  Status find(std::vector<std::string> command) {
    return find_parts_of(Check{std::move(command)}, tree(), bin().string());
  }

  TemporaryFolder folder_ = std::move(*TemporaryFolder::make("suture-test-"));
  Interpreter interpreter_;
};

TEST_F(CheckCommandTest, NamesThatLeadToTheInterpreterStay) {
  EXPECT_THAT(with({"python3", "x.py"}), ElementsAre("python3", "x.py"));
  EXPECT_THAT(with({"python3.11", "x.py"}), ElementsAre("python3.11", "x.py"));
}

TEST_F(CheckCommandTest, OtherNamesOfPythonBecomeTheInterpreter) {
  std::string python = interpreter_.path.string();
  EXPECT_THAT(with({"python", "x.py"}), ElementsAre(python, "x.py"));
  program("bin/python");  // another Python
  EXPECT_THAT(with({"python", "x.py"}), ElementsAre(python, "x.py"));
}

TEST_F(CheckCommandTest, PytestIsTheInterpretersOwn) {
  EXPECT_THAT(with({"pytest", "-x"}),
              ElementsAre(interpreter_.path.string(), "-m", "pytest", "-x"));
  program("bin/pytest");
  EXPECT_THAT(with({"pytest", "-x"}), ElementsAre("pytest", "-x"));
}

TEST_F(CheckCommandTest, WhatIsNotPythonStays) {
  EXPECT_THAT(with({"make", "test"}), ElementsAre("make", "test"));
  EXPECT_THAT(with({"./python", "x"}), ElementsAre("./python", "x"));
  EXPECT_THAT(with({"pythonize"}), ElementsAre("pythonize"));
}

TEST_F(CheckCommandTest, AnInterpreterCanBeNamedByTheCheck) {
  auto named = [&](std::string program) {
    return interpreter_named_by(Check{{std::move(program)}}, "/tree");
  };
  EXPECT_EQ(named("python"), "");
  EXPECT_EQ(named("python3"), "");
  EXPECT_EQ(named("python3.9"), "python3.9");
  EXPECT_EQ(named("venv/bin/python"), "/tree/venv/bin/python");
  EXPECT_EQ(named("/usr/bin/python3"), "/usr/bin/python3");
  EXPECT_EQ(named("pytest"), "");
}

TEST_F(CheckCommandTest, FindsWhatIsThere) {
  program("bin/make");
  program("tree/run.sh");
  for (std::vector<std::string> command : {
           std::vector<std::string>{"make", "anything"},
           {"python3", "repro.py"},
           {"python3", "-W", "error", "-X", "dev", "repro.py", "none.py"},
           {"python3", "-c", "import none"},
           {"python3", "-m", "none.py"},
           {"python3", "-m", "pytest", "-k", "none.py", "tests/test_x.py::TestA::test_b[none.py]"},
           {"./run.sh"},
       }) {
    Status found = find(command);
    EXPECT_TRUE(found) << shell_line(command) << ": " << found.error().display();
  }
}

TEST_F(CheckCommandTest, MissesWhatIsNot) {
  for (std::vector<std::string> command : {
           std::vector<std::string>{"no-such-program"},
           {"python3", "none.py"},
           {"python3", "-u", "none.py"},
           {"python3", "-m", "pytest", "tests/none.py::test_x"},
           {"./none.sh"},
           {"./repro.py"},  // not executable
       }) {
    Status found = find(command);
    ASSERT_FALSE(found) << shell_line(command);
    EXPECT_EQ(found.error().kind, ErrorKind::kNotFound);
    EXPECT_THAT(found.error().message, HasSubstr("check not found"));
  }
}

TEST(ShellWords, AreQuotedWhereTheyMustBe) {
  EXPECT_EQ(shell_line({"suture", "--check", "python -c 'x'", "", "a=b,c"}),
            "suture --check 'python -c '\\''x'\\''' '' a=b,c");
}

}  // namespace
}  // namespace suture
