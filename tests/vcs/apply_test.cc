#include "repair/vcs/apply.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "repair/base/file.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using testing::shell;
using testing::slurp;

class ApplyTest : public ::testing::Test {
 protected:
  /// Names, modes, inodes, times and contents of all files.
  std::string state() {
    return shell(tree(), "find . -type f -printf '%p %m %i %T@ ' -exec sha256sum {} \\; | sort")
        .output;
  }
  std::filesystem::path tree() { return scratch_.path(); }

  TemporaryFolder scratch_ = std::move(*TemporaryFolder::make("suture-test-"));
};

TEST_F(ApplyTest, WritesChangesAddsAndRemoves) {
  testing::write(tree() / "a.py", "old\r\n");
  testing::write(tree() / "gone.py", "x");
  chmod((tree() / "a.py").c_str(), 0755);
  Status done = apply_changes(tree(), {{"a.py", "old\r\n", "new\r\n"},
                                       {"b/c/new.py", std::nullopt, "fresh"},
                                       {"gone.py", "x", std::nullopt}});
  ASSERT_TRUE(done) << done.error().display();
  EXPECT_EQ(slurp(tree() / "a.py"), "new\r\n");
  EXPECT_EQ(slurp(tree() / "b/c/new.py"), "fresh");
  EXPECT_EQ(shell(tree(), "find . -type f | sort").output, "./a.py\n./b/c/new.py\n");
  EXPECT_EQ(std::filesystem::status(tree() / "a.py").permissions(), std::filesystem::perms(0755));
}

TEST_F(ApplyTest, RefusesFilesThatChangedMeanwhile) {
  testing::write(tree() / "a.py", "old");
  testing::write(tree() / "b.py", "edited by the user");
  std::string before = state();
  for (const FileChange& other :
       {FileChange{"b.py", "old", "new"}, FileChange{"b.py", std::nullopt, "new"},
        FileChange{"none.py", "old", "new"}}) {
    Status done = apply_changes(tree(), {{"a.py", "old", "new"}, other});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, ErrorKind::kBadInput);
    EXPECT_NE(done.error().display().find("nothing was written"), std::string::npos);
    EXPECT_EQ(state(), before);
  }
}

TEST_F(ApplyTest, RollsBackToTheVeryFilesWhenALaterOneFails) {
  testing::write(tree() / "a.py", "old");
  testing::write(tree() / "blocked/b.py", "old");
  testing::write(tree() / "file", "in the way");
  std::string before = state();
  // A folder cannot be made where a file is: even root's write fails there.
  Status done = apply_changes(tree(), {{"a.py", "old", "new"},
                                       {"fresh/deep/new.py", std::nullopt, "new"},
                                       {"file/new.py", std::nullopt, "new"}});
  ASSERT_FALSE(done);
  EXPECT_EQ(state(), before);
  EXPECT_FALSE(std::filesystem::exists(tree() / "fresh"));
  EXPECT_EQ(shell(tree(), "find . | grep -c suture-old").output, "0\n");
}

TEST_F(ApplyTest, StaysInsideTheTree) {
  TemporaryFolder outside = std::move(*TemporaryFolder::make("suture-test-"));
  testing::write(outside.path() / "x.py", "old");
  std::filesystem::create_symlink(outside.path(), tree() / "link");
  for (std::string path : {std::string("../") + outside.path().filename().string() + "/x.py",
                           std::string("link/x.py"), (outside.path() / "x.py").string()}) {
    Status done = apply_changes(tree(), {{path, "old", "new"}});
    ASSERT_FALSE(done) << path;
    EXPECT_EQ(done.error().kind, ErrorKind::kBadInput);
  }
  EXPECT_EQ(slurp(outside.path() / "x.py"), "old");
}

TEST_F(ApplyTest, LinksInsideTheTreeStayLinks) {
  testing::write(tree() / "real.py", "old");
  std::filesystem::create_symlink("real.py", tree() / "link.py");
  ASSERT_TRUE(apply_changes(tree(), {{"link.py", "old", "new"}}));
  EXPECT_TRUE(std::filesystem::is_symlink(tree() / "link.py"));
  EXPECT_EQ(slurp(tree() / "real.py"), "new");
}

}  // namespace
}  // namespace suture
