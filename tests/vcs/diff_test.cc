#include "repair/vcs/diff.h"

#include <gtest/gtest.h>

#include "repair/base/file.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using testing::shell;
using testing::slurp;

/// Files as `git apply` finds them, and what it makes of them.
class DiffTest : public ::testing::Test {
 protected:
  /// The diff must pass `git apply --check` and give the new bytes.
  void expect_git_agrees(const std::vector<FileChange>& changes) {
    for (const FileChange& change : changes) {
      if (change.before) testing::write(tree() / change.path, *change.before);
      if (change.mode == FileChange::Mode::kExecutable) {
        std::filesystem::permissions(tree() / change.path, std::filesystem::perms::owner_all);
      }
    }
    Result<std::string> diff = unified_diff(changes);
    ASSERT_TRUE(diff) << diff.error().display();
    testing::write(scratch_.path() / "patch", *diff);
    auto check = shell(tree(), "git apply --check ../patch");
    ASSERT_EQ(check.status, 0) << check.output << *diff;
    EXPECT_EQ(check.output, "") << "git apply warns";
    ASSERT_EQ(shell(tree(), "git apply ../patch").status, 0);
    for (const FileChange& change : changes) {
      EXPECT_EQ(std::filesystem::exists(tree() / change.path), change.after.has_value())
          << change.path;
      if (change.after) {
        EXPECT_EQ(slurp(tree() / change.path), *change.after) << *diff;
      }
    }
  }

  std::filesystem::path tree() { return scratch_.path() / "tree"; }
  void SetUp() override { std::filesystem::create_directories(tree()); }

  TemporaryFolder scratch_ = std::move(*TemporaryFolder::make("suture-test-"));
};

const std::string kTenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

TEST_F(DiffTest, LooksLikeGits) {
  auto diff = unified_diff({{"pkg/mod.py", "a\nb\nc\n", "a\nB\nc\n"}});
  ASSERT_TRUE(diff);
  EXPECT_EQ(*diff,
            "diff --git a/pkg/mod.py b/pkg/mod.py\n"
            "index de98044..7be73ce 100644\n"
            "--- a/pkg/mod.py\n"
            "+++ b/pkg/mod.py\n"
            "@@ -1,3 +1,3 @@\n"
            " a\n"
            "-b\n"
            "+B\n"
            " c\n");
}

TEST_F(DiffTest, NothingChangedIsNoDiff) { EXPECT_EQ(*unified_diff({{"a", "x", "x"}}), ""); }

TEST_F(DiffTest, SeveralFilesAndHunks) {
  std::string edited = kTenLines;
  edited.replace(0, 1, "one").append("11\n");
  expect_git_agrees(
      {{"b.py", kTenLines, edited}, {"a/a.py", "x\n", "x\ny\n"}, {"z.py", "", "new\n"}});
}

TEST_F(DiffTest, NoNewlineAtTheEnd) {
  expect_git_agrees({{"a", "x\ny", "x\nz"}, {"b", "x\ny", "x\ny\n"}, {"c", "x\ny\n", "x\ny"}});
}

TEST_F(DiffTest, LineEndsAndForeignBytesAreKept) {
  expect_git_agrees({{"crlf.py", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"},
                     {"cr.py", "a\rb\rc\n", "a\rB\rc\n"},
                     {"latin.py", "# caf\xe9\nx = 1\n", "# caf\xe9\nx = 2\n"},
                     {"bom.py", "\xef\xbb\xbfx = 1\n", "\xef\xbb\xbfx = 2\n"},
                     {"nul.py", std::string("a\0b\nx\n", 6), std::string("a\0b\ny\n", 6)},
                     {"form.py", "a\n\x0c\nb\n", "a\n\x0c\nc\n"}});
}

TEST_F(DiffTest, NewAndRemovedAndEmptyFiles) {
  expect_git_agrees({{"new/file.py", std::nullopt, "a\nb"},
                     {"gone.py", "a\n", std::nullopt},
                     {"was_empty.py", "", "a\n"},
                     {"becomes_empty.py", "a\n", ""}});
}

TEST_F(DiffTest, OddNames) {
  expect_git_agrees({{"with space.py", "a\n", "b\n"},
                     {"quote\".py", "a\n", "b\n"},
                     {"t\xc3\xa4st.py", "a\n", "b\n"},
                     {"tab\t.py", "a\n", "b\n"}});
}

TEST_F(DiffTest, ExecutableFilesKeepTheirMode) {
  expect_git_agrees({{"run.sh", "a\n", "b\n", FileChange::Mode::kExecutable}});
  EXPECT_NE(shell(tree(), "test -x run.sh; echo $?").output.find('0'), std::string::npos);
}

TEST_F(DiffTest, LinesThatLookLikeADiff) {
  expect_git_agrees(
      {{"a", "-- x\n++ y\n@@ -1 +1 @@\n", "--- x\n+++ y\n@@ -1 +1 @@\ndiff --git a/b b/b\n"}});
}

TEST(LineChanges, ReadBackWhatWasWritten) {
  std::string edited = kTenLines;
  edited.replace(0, 2, "one\n").append("11");
  auto changes =
      line_changes(*unified_diff({{"b.py", kTenLines, edited}, {"a.py", "x\ny", "x\nz"}}));
  ASSERT_TRUE(changes) << changes.error().display();
  ASSERT_EQ(changes->size(), 3u);
  const LineChange& no_newline = (*changes)[0];
  EXPECT_EQ(no_newline.path, "a.py");
  EXPECT_EQ(no_newline.old_line, 2);
  EXPECT_EQ(no_newline.removed, std::vector<std::string>{"y"});
  EXPECT_EQ(no_newline.added, std::vector<std::string>{"z"});
  const LineChange& first = (*changes)[1];
  EXPECT_EQ(first.path, "b.py");
  EXPECT_EQ(first.old_line, 1);
  EXPECT_EQ(first.removed, std::vector<std::string>{"1\n"});
  EXPECT_EQ(first.added, std::vector<std::string>{"one\n"});
  const LineChange& last = (*changes)[2];
  EXPECT_EQ(last.old_line, 11);
  EXPECT_EQ(last.removed, std::vector<std::string>{});
  EXPECT_EQ(last.added, std::vector<std::string>{"11"});
}

TEST(LineChanges, OfANewFileBeginAtLineOne) {
  auto changes = line_changes(*unified_diff({{"new.py", std::nullopt, "a\nb\n"}}));
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ((*changes)[0].old_line, 1);
  EXPECT_EQ((*changes)[0].added, (std::vector<std::string>{"a\n", "b\n"}));
}

TEST(LineChanges, RefuseWhatIsNoDiff) {
  auto changes = line_changes("hello\n");
  EXPECT_TRUE(!changes || changes->empty());
  EXPECT_EQ(line_changes("")->size(), 0u);
}

}  // namespace
}  // namespace suture
