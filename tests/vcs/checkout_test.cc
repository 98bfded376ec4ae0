#include "repair/vcs/checkout.h"

#include <gtest/gtest.h>

#include "repair/base/file.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using testing::shell;
using testing::slurp;

class CheckoutTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made =
        shell(repo(),
              "git init -q -b main . && git config user.email t@t && git config user.name t && "
              "printf one > a.py && mkdir sub && printf '#!/bin/sh\\n' > sub/run.sh && "
              "chmod +x sub/run.sh && ln -s a.py link && git add . && git commit -qm first && "
              "printf two > a.py && printf new > b.py && git add . && git commit -qm second && "
              "git remote add origin https://user:secret@example.org/x.git");
    ASSERT_EQ(made.status, 0) << made.output;
  }
  std::string rev(const std::string& name) {
    std::string text = shell(repo(), "git rev-parse " + name).output;
    return text.substr(0, 40);
  }
  /// Everything below .git and the work tree with times, to see that nothing is touched.
  std::string state() {
    return shell(repo(), "find . -type f -printf '%p %m %T@ %s\\n' | sort").output;
  }
  std::filesystem::path repo() { return scratch_.path(); }

  TemporaryFolder scratch_ = std::move(*TemporaryFolder::make("suture-test-"));
};

TEST_F(CheckoutTest, IsFoundFromASubfolder) {
  auto checkout = find_checkout(repo() / "sub");
  ASSERT_TRUE(checkout) << checkout.error().display();
  ASSERT_TRUE(checkout->has_value());
  EXPECT_EQ((*checkout)->root, std::filesystem::canonical(repo()));
  EXPECT_EQ((*checkout)->revision, rev("HEAD"));
  EXPECT_EQ((*checkout)->origin, "https://example.org/x.git");
}

TEST_F(CheckoutTest, APlainFolderHasNone) {
  TemporaryFolder plain = std::move(*TemporaryFolder::make("suture-test-"));
  auto checkout = find_checkout(plain.path());
  ASSERT_TRUE(checkout);
  EXPECT_FALSE(checkout->has_value());
}

TEST_F(CheckoutTest, BeforeTheFirstCommitThereIsNoRevision) {
  TemporaryFolder fresh = std::move(*TemporaryFolder::make("suture-test-"));
  shell(fresh.path(), "git init -q . && printf x > f && git add f");
  auto checkout = find_checkout(fresh.path());
  ASSERT_TRUE(checkout && checkout->has_value());
  EXPECT_EQ((*checkout)->revision, "");
  EXPECT_EQ(*work_tree_of(**checkout), WorkTree::kDirty);
}

TEST_F(CheckoutTest, ABrokenRepositoryIsAnError) {
  TemporaryFolder broken = std::move(*TemporaryFolder::make("suture-test-"));
  testing::write(broken.path() / ".git", "gitdir: /nowhere/at/all\n");
  auto checkout = find_checkout(broken.path());
  EXPECT_TRUE(!checkout || !checkout->has_value());
}

TEST_F(CheckoutTest, TellsDirtyFromCleanWithoutTouchingAnything) {
  Checkout checkout = **find_checkout(repo());
  std::string before = state();
  EXPECT_EQ(*work_tree_of(checkout), WorkTree::kClean);
  EXPECT_EQ(state(), before);
  testing::write(repo() / "untracked.txt", "x");
  EXPECT_EQ(*work_tree_of(checkout), WorkTree::kClean);
  testing::write(repo() / "a.py", "changed");
  EXPECT_EQ(*work_tree_of(checkout), WorkTree::kDirty);
  shell(repo(), "git add a.py");
  EXPECT_EQ(*work_tree_of(checkout), WorkTree::kDirty);
}

TEST_F(CheckoutTest, MaterialisesARevisionBesideADirtyTree) {
  testing::write(repo() / "a.py", "dirty");
  std::string before = state();
  auto first = materialise(repo() / "sub", "HEAD~1");
  ASSERT_TRUE(first) << first.error().display();
  EXPECT_EQ(first->revision, rev("HEAD~1"));
  EXPECT_EQ(slurp(first->folder.path() / "a.py"), "one");
  EXPECT_FALSE(std::filesystem::exists(first->folder.path() / "b.py"));
  EXPECT_FALSE(std::filesystem::exists(first->folder.path() / ".git"));
  EXPECT_TRUE(std::filesystem::is_symlink(first->folder.path() / "link"));
  EXPECT_EQ(shell(first->folder.path(), "test -x sub/run.sh && echo yes").output, "yes\n");
  auto head = materialise(repo(), "main");
  ASSERT_TRUE(head) << head.error().display();
  EXPECT_EQ(slurp(head->folder.path() / "a.py"), "two");
  EXPECT_EQ(state(), before);
  EXPECT_EQ(slurp(repo() / "a.py"), "dirty");
}

TEST_F(CheckoutTest, SkipsFilesWhoseContentIsMissing) {
  std::string blob = shell(repo(), "git rev-parse HEAD:b.py").output;
  ASSERT_EQ(
      shell(repo(), "rm -f .git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2, 38)).status,
      0);
  auto head = materialise(repo(), "HEAD");
  ASSERT_TRUE(head) << head.error().display();
  EXPECT_EQ(head->missing, std::vector<std::string>{"b.py"});
  EXPECT_EQ(slurp(head->folder.path() / "a.py"), "two");
  EXPECT_TRUE(std::filesystem::exists(head->folder.path() / "sub/run.sh"));
  EXPECT_FALSE(std::filesystem::exists(head->folder.path() / "b.py"));
}

TEST_F(CheckoutTest, ReadsABareMirrorWithoutAConfigFile) {
  TemporaryFolder mirror = std::move(*TemporaryFolder::make("suture-test-"));
  auto made =
      shell(mirror.path(), "git clone -q --mirror '" + repo().string() + "' m && rm m/config");
  ASSERT_EQ(made.status, 0) << made.output;
  auto checkout = find_checkout(mirror.path() / "m");
  ASSERT_TRUE(checkout && checkout->has_value());
  EXPECT_EQ((*checkout)->root, std::filesystem::canonical(mirror.path() / "m"));
  EXPECT_EQ(*work_tree_of(**checkout), WorkTree::kClean);
  auto head = materialise(mirror.path() / "m", "HEAD");
  ASSERT_TRUE(head) << head.error().display();
  EXPECT_EQ(slurp(head->folder.path() / "a.py"), "two");
}

TEST_F(CheckoutTest, UnknownRevisionsAndPlainFoldersAreNotFound) {
  auto unknown = materialise(repo(), "no-such-branch");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(unknown.error().message.find("no-such-branch"), std::string::npos);
  TemporaryFolder plain = std::move(*TemporaryFolder::make("suture-test-"));
  EXPECT_EQ(materialise(plain.path(), "HEAD").error().kind, ErrorKind::kNotFound);
}

TEST_F(CheckoutTest, OpensRepositoriesOfOtherUsersAndPartialClones) {
  if (getuid() == 0) {
    ASSERT_EQ(shell(repo(), "chown -R 12345 .").status, 0);
  }
  shell(repo(),
        "git config --file .git/config core.repositoryformatversion 1 && "
        "git config --file .git/config extensions.partialclone origin");
  auto checkout = find_checkout(repo());
  ASSERT_TRUE(checkout) << checkout.error().display();
  EXPECT_TRUE(checkout->has_value());
}

}  // namespace
}  // namespace suture
