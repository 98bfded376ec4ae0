#include "repair/cache/tree_state.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "repair/base/file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

class TreeStateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    write("a.py", "a = 1\n");
    write("pkg/b.py", "b = 1\n");
  }
  void write(const std::string& name, const std::string& text) {
    fs::path path = folder_->path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string contents() const { return tree_state(folder_->path()).contents; }

  std::optional<TemporaryFolder> folder_;
};

TEST_F(TreeStateTest, EveryChangeOfSourcesAndDataTells) {
  std::string before = contents();
  EXPECT_EQ(contents(), before);
  write("a.py", "a = 2\n");  // of equal size
  std::string changed = contents();
  EXPECT_NE(changed, before);
  write("a.py", "a = 1\n");
  EXPECT_EQ(contents(), before) << "the times of a file say nothing about its contents";
  write("pkg/data.json", "{}");  // unknown to version control
  EXPECT_NE(contents(), before);
  fs::rename(folder_->path() / "pkg/data.json", folder_->path() / "data.json");
  std::string moved = contents();
  EXPECT_NE(moved, before);
  fs::remove(folder_->path() / "data.json");
  EXPECT_EQ(contents(), before);
  fs::permissions(folder_->path() / "a.py", fs::perms::owner_exec, fs::perm_options::add);
  EXPECT_NE(contents(), before);
}

TEST_F(TreeStateTest, WhatInterpretersKeepForThemselvesDoesNotTell) {
  TreeState before = tree_state(folder_->path());
  write("pkg/__pycache__/b.cpython-311.pyc", "x");
  write(".git/index", "x");
  write(".pytest_cache/v/lastfailed", "x");
  EXPECT_EQ(tree_state(folder_->path()).contents, before.contents);
  EXPECT_EQ(tree_stamps(folder_->path()), before.stamps);
}

TEST_F(TreeStateTest, StampsTellOfEveryWrite) {
  TreeState before = tree_state(folder_->path());
  EXPECT_EQ(tree_stamps(folder_->path()), before.stamps);
  auto time = fs::last_write_time(folder_->path() / "a.py");
  write("a.py", "a = 2\n");
  fs::last_write_time(folder_->path() / "a.py", time);  // the time of change stays
  EXPECT_NE(tree_stamps(folder_->path()), before.stamps);
}

TEST_F(TreeStateTest, LinksTellOfWhatLiesOutside) {
  auto other = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(other.has_value());
  std::ofstream(other->path() / "model.bin") << "1";
  fs::create_symlink(other->path() / "model.bin", folder_->path() / "model.bin");
  std::string before = contents();
  EXPECT_EQ(contents(), before);
  std::ofstream(other->path() / "model.bin") << "22";
  EXPECT_NE(contents(), before);
}

}  // namespace
}  // namespace suture
