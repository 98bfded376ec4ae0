#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "client/cli/exit_code.h"
#include "tests/support/shell.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryOptions;
using testing::BinaryRun;
using testing::BrokenTree;
using ::testing::HasSubstr;
using testing::state_of;

class BadMachineTest : public ::testing::Test {
 protected:
  BadMachineTest() : before_(state_of(broken_.tree())) {}
  ~BadMachineTest() override { EXPECT_EQ(state_of(broken_.tree()), before_); }

  BrokenTree broken_;
  std::string before_;
};

TEST_F(BadMachineTest, MissingInterpreter) {
  BinaryRun run = broken_.repair({"--python", "/nowhere/bin/python3"});
  EXPECT_EQ(run.status, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("no Python interpreter at /nowhere/bin/python3"));
  EXPECT_THAT(run.err, HasSubstr("--python"));
}

TEST_F(BadMachineTest, InterpreterThatIsNone) {
  BinaryRun run = broken_.repair({"--python", "/bin/true"});
  EXPECT_EQ(run.status, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("/bin/true does not work as a Python 3 interpreter"));
}

TEST_F(BadMachineTest, NoInterpreterAnywhere) {
  BinaryOptions options;
  options.env = {{"PATH", "/nonexistent"}, {"VIRTUAL_ENV", ""}};
  BinaryRun run = testing::run_suture(
      {"repair", "--repo", broken_.tree(), "--check", "python check.py"}, options);
  EXPECT_EQ(run.status, kExitInfrastructure);
  EXPECT_THAT(run.err, HasSubstr("no python3 on PATH"));
}

TEST_F(BadMachineTest, TemporaryFolderIsMissing) {
  BinaryOptions options;
  options.env["TMPDIR"] = "/nowhere";
  BinaryRun run = broken_.repair({}, options);
  EXPECT_EQ(run.status, kExitInfrastructure) << run.out << run.err;
}

/// TMPDIR is a file system of its own that has no byte left.
class FullDiskTest : public BadMachineTest {
 protected:
  FullDiskTest() {
    std::string small = (broken_.beside() / "small").string();
    std::filesystem::create_directories(small);
    options_.env["TMPDIR"] = small;
    options_.wrapper = {"unshare",
                        getuid() == 0 ? "-m" : "-Urm",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=16k none '" + small + "' && dd if=/dev/zero of='" +
                            small + "/full' bs=16k count=1 2>/dev/null && exec \"$@\"",
                        "sh"};
  }

  BinaryOptions options_;
};

/// Overlays live in memory. What the probe has to say is lost, which makes the search blinder, not
/// wrong.
TEST_F(FullDiskTest, TheSandboxNeedsNone) {
  BinaryRun run = broken_.repair({}, options_);
  EXPECT_EQ(run.status, kExitPatched) << run.out << run.err;
}

TEST_F(FullDiskTest, WithoutTheSandboxTheTreeCannotBeCopied) {
  BinaryRun run = broken_.repair({"--no-sandbox"}, options_);
  EXPECT_EQ(run.status, kExitInfrastructure) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("No space left on device"));
}

TEST_F(BadMachineTest, FullDiskBehindStandardOutput) {
  auto run = testing::shell("/tmp", SUTURE_BINARY " doctor > /dev/full");
  EXPECT_EQ(run.status, kExitInfrastructure);
  EXPECT_THAT(run.output, HasSubstr("No space left"));
}

TEST_F(BadMachineTest, NoSandbox) {
  BinaryOptions options;
  // Everything that the interpreter needs, but no bwrap.
  std::filesystem::path bin = broken_.beside() / "bin";
  std::filesystem::create_directories(bin);
  options.env["PATH"] = bin.string();
  BinaryRun run = broken_.repair({}, options);
  EXPECT_EQ(run.status, kExitInfrastructure) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("bubblewrap"));
  BinaryRun unprotected = broken_.repair({"--no-sandbox"}, options);
  EXPECT_EQ(unprotected.status, 0) << unprotected.out << unprotected.err;
  EXPECT_THAT(unprotected.err, HasSubstr("runs with your rights"));
  EXPECT_THAT(unprotected.out, HasSubstr("Sandbox:    weaker than usual"));
}

TEST_F(BadMachineTest, BrokenPatternFile) {
  testing::write(broken_.beside() / "patterns/bad.yaml", "id: bad\nfamily: [\n");
  BinaryRun run = broken_.repair({"--patterns", (broken_.beside() / "patterns").string()});
  EXPECT_EQ(run.status, kExitUsage) << run.out << run.err;
  EXPECT_THAT(run.err, ::testing::ContainsRegex("patterns/bad.yaml:[0-9]+:[0-9]+: "));
  EXPECT_EQ(run.out, "");
}

TEST_F(BadMachineTest, UnknownPatternWord) {
  BinaryRun run = broken_.repair({"--only", "no-such-pattern"});
  EXPECT_EQ(run.status, kExitUsage) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("no-such-pattern"));
}

TEST_F(BadMachineTest, PatternsAreGone) {
  BinaryOptions options;
  options.env["SUTURE_SHARE"] = "/nowhere";
  BinaryRun run = broken_.repair({}, options);
  EXPECT_NE(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace suture
