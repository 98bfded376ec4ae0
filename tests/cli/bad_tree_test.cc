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
using testing::shell;
using testing::state_of;

/// A repair without --apply leaves the tree alone; its patch applies with git, and --apply gives
/// the same bytes.
class TreeTest : public ::testing::Test {
 protected:
  void expect_byte_exact_repair() {
    std::string before = state_of(broken_.tree());
    BinaryRun run = broken_.repair({"--format", "patch"});
    ASSERT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_EQ(state_of(broken_.tree()), before);
    EXPECT_TRUE(std::filesystem::is_empty(broken_.tmp()));

    testing::write(broken_.beside() / "patch", run.out);
    shell(broken_.beside(), "cp -r ../tree copy");
    auto git = shell(broken_.beside() / "copy", "git apply --check ../patch && git apply ../patch");
    ASSERT_EQ(git.status, 0) << git.output << run.out;

    BinaryRun applied = broken_.repair({"--apply"});
    ASSERT_EQ(applied.status, 0) << applied.out << applied.err;
    EXPECT_THAT(applied.out, HasSubstr("Applied:    pkg/lookup.py"));
    EXPECT_EQ(broken_.read("pkg/lookup.py"),
              testing::slurp(broken_.beside() / "copy/pkg/lookup.py"));
  }

  /// Whatever the fix is, every line of the old text that is not part of it is still there, byte
  /// for byte.
  void expect_line_kept(const std::string& line) {
    EXPECT_THAT(broken_.read("pkg/lookup.py"), HasSubstr(line));
  }

  BrokenTree broken_;
};

TEST_F(TreeTest, PlainFolder) { expect_byte_exact_repair(); }

TEST_F(TreeTest, Checkout) {
  ASSERT_EQ(shell(broken_.tree(),
                  "git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm x")
                .status,
            0);
  expect_byte_exact_repair();
}

TEST_F(TreeTest, NotUtf8) {
  broken_.write(
      "pkg/lookup.py",
      "# -*- coding: latin-1 -*-\n# caf\xe9\ndef name_of(table, key):\n    entry = table.get(key)\n"
      "    return entry.name  # \xe9\n");
  expect_byte_exact_repair();
  expect_line_kept("# caf\xe9\n");
}

TEST_F(TreeTest, DosLineEnds) {
  broken_.write(
      "pkg/lookup.py",
      "def name_of(table, key):\r\n    entry = table.get(key)\r\n    return entry.name\r\n");
  expect_byte_exact_repair();
  std::string text = broken_.read("pkg/lookup.py");
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    EXPECT_EQ(text[at - 1], '\r') << text;
  }
}

TEST_F(TreeTest, ByteOrderMark) {
  broken_.write("pkg/lookup.py",
                "\xef\xbb\xbf"
                "def name_of(table, key):\n    entry = table.get(key)\n    return entry.name\n");
  expect_byte_exact_repair();
  EXPECT_TRUE(broken_.read("pkg/lookup.py")
                  .starts_with("\xef\xbb\xbf"
                               "def"));
}

TEST_F(TreeTest, Tabs) {
  broken_.write("pkg/lookup.py",
                "def name_of(table, key):\n\tentry = table.get(key)\n\treturn entry.name\n");
  expect_byte_exact_repair();
  EXPECT_EQ(broken_.read("pkg/lookup.py").find("\n "), std::string::npos);
}

TEST_F(TreeTest, NoLineEndAtTheEnd) {
  broken_.write("pkg/lookup.py",
                "def name_of(table, key):\n    entry = table.get(key)\n    return entry.name");
  expect_byte_exact_repair();
}

TEST_F(TreeTest, SyntaxErrorElsewhere) {
  broken_.write("pkg/unrelated.py", "def broken(:\n");
  expect_byte_exact_repair();
}

TEST_F(TreeTest, SyntaxErrorInTheWay) {
  broken_.write("pkg/lookup.py", "def name_of(table, key:\n    return None\n");
  std::string before = state_of(broken_.tree());
  BinaryRun run = broken_.repair({"--budget", "30 runs"});
  EXPECT_THAT(run.status, ::testing::AnyOf(kExitPatched, kExitNoPatch)) << run.out << run.err;
  EXPECT_THAT(run.status == 0 ? "SyntaxError" : run.out, HasSubstr("SyntaxError"));
  EXPECT_EQ(state_of(broken_.tree()), before);
}

TEST_F(TreeTest, Revision) {
  ASSERT_EQ(shell(broken_.tree(),
                  "git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm x")
                .status,
            0);
  broken_.write("pkg/lookup.py", "something else now\n");
  std::string before = state_of(broken_.tree());
  BinaryRun run = broken_.repair({"--revision", "HEAD", "--format", "patch"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("pkg/lookup.py"));
  BinaryRun applied = broken_.repair({"--revision", "HEAD", "--apply"});
  EXPECT_EQ(applied.status, kExitUsage) << "the user's file is not what was repaired";
  EXPECT_THAT(applied.err, HasSubstr("nothing was written"));
  BinaryRun unknown = broken_.repair({"--revision", "nonsense"});
  EXPECT_EQ(unknown.status, kExitUsage);
  EXPECT_THAT(unknown.err, HasSubstr("no revision nonsense"));
  EXPECT_EQ(state_of(broken_.tree()), before);
}

TEST_F(TreeTest, EditedWhileSearching) {
  broken_.write("check.py",
                "import time\n"
                "from pkg.lookup import name_of\n"
                "time.sleep(1)\n"
                "assert name_of({}, 'missing') is None\n");
  std::filesystem::path events = broken_.beside() / "events";
  const std::string edited = "# edited by the user meanwhile\n";
  BinaryOptions options;
  options.meanwhile = [&, done = false](int) mutable {
    if (done || testing::slurp(events).find("\"stage\":\"validate\"") == std::string::npos) return;
    broken_.write("pkg/lookup.py", edited);
    done = true;
  };
  BinaryRun run = broken_.repair({"--apply", "--events", events.string()}, std::move(options));
  EXPECT_EQ(broken_.read("pkg/lookup.py"), edited);
  // A run that already saw the edited file may have failed for it; nothing is written either way.
  EXPECT_THAT(run.status, ::testing::AnyOf(kExitUsage, kExitNoPatch)) << run.out << run.err;
  if (run.status == kExitUsage) {
    EXPECT_THAT(run.err, HasSubstr("nothing was written"));
  }
}

/// A tree that cannot be written even by root: mounted read-only.
TEST_F(TreeTest, ReadOnlyFolder) {
  std::string before = state_of(broken_.tree());
  std::string tree = broken_.tree().string();
  BinaryOptions options;
  options.wrapper = {"unshare",
                     getuid() == 0 ? "-m" : "-Urm",
                     "sh",
                     "-c",
                     "mount --bind '" + tree + "' '" + tree + "' && mount -o remount,bind,ro '" +
                         tree + "' && exec \"$@\"",
                     "sh"};
  BinaryRun run = broken_.repair({}, options);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  BinaryRun applied = broken_.repair({"--apply"}, options);
  EXPECT_EQ(applied.status, kExitInfrastructure) << applied.out << applied.err;
  EXPECT_THAT(applied.err, HasSubstr("nothing was written"));
  EXPECT_THAT(applied.out, HasSubstr("PATCHED")) << "the patch is shown all the same";
  EXPECT_EQ(state_of(broken_.tree()), before);
}

TEST_F(TreeTest, Empty) {
  for (const auto& entry : std::filesystem::directory_iterator(broken_.tree()))
    std::filesystem::remove_all(entry);
  BinaryRun run = broken_.repair_without_check({"--check", "python -c 'raise ValueError'"});
  EXPECT_EQ(run.status, kExitNoPatch) << run.out << run.err;
}

}  // namespace
}  // namespace suture
