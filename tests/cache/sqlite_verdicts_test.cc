#include "repair/cache/sqlite_verdicts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "repair/base/file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

class SqliteVerdictsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    file_ = folder_->path() / "new" / "suture" / "verdicts.sqlite";
  }

  std::unique_ptr<SqliteVerdicts> open(std::int64_t max_bytes = SqliteVerdicts::kMaxBytes) {
    auto opened = SqliteVerdicts::open(
        file_, [this](const std::string& text) { warnings_.push_back(text); }, max_bytes);
    EXPECT_TRUE(opened.has_value()) << opened.error().display();
    return opened ? std::move(*opened) : nullptr;
  }

  std::optional<TemporaryFolder> folder_;
  fs::path file_;
  std::vector<std::string> warnings_;
};

TEST_F(SqliteVerdictsTest, RemembersFromOneProcessToTheNext) {
  std::string binary("a\0b\xff", 4);
  open()->keep({{"k", binary}, {"empty", ""}});
  auto cache = open();
  EXPECT_EQ(cache->find("k"), binary);
  EXPECT_EQ(cache->find("empty"), "");
  EXPECT_EQ(cache->find("other"), std::nullopt);
  cache->keep({{"k", "later"}});
  EXPECT_EQ(cache->find("k"), "later");
  cache->forget({"k"});
  EXPECT_EQ(cache->find("k"), std::nullopt);
  EXPECT_EQ(cache->find("empty"), "");
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SqliteVerdictsTest, IsForTheUserAlone) {
  open();
  EXPECT_EQ(fs::status(file_.parent_path()).permissions() & fs::perms::mask, fs::perms(0700));
}

TEST_F(SqliteVerdictsTest, WhatWasNotUsedForLongestGoesFirst) {
  auto cache = open(10'000);
  for (int i = 0; i < 9; ++i) cache->keep({{std::to_string(i), std::string(1000, 'x')}});
  EXPECT_TRUE(cache->find("0").has_value());  // counts as use
  cache->keep({{"big", std::string(3000, 'x')}});
  EXPECT_EQ(cache->find("1"), std::nullopt);
  EXPECT_EQ(cache->find("4"), std::nullopt);
  EXPECT_TRUE(cache->find("8").has_value());
  EXPECT_TRUE(cache->find("0").has_value());
  EXPECT_TRUE(cache->find("big").has_value());
}

TEST_F(SqliteVerdictsTest, SeveralWritersLoseNothing) {
  constexpr int kWriters = 4, kRecords = 50;
  open();
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([this, w] {
      auto cache =
          SqliteVerdicts::open(file_, [](const std::string& why) { ADD_FAILURE() << why; });
      ASSERT_TRUE(cache.has_value()) << cache.error().display();
      for (int i = 0; i < kRecords; ++i)
        (*cache)->keep({{std::to_string(w) + "/" + std::to_string(i), "text"}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  auto cache = open();
  for (int w = 0; w < kWriters; ++w) {
    for (int i = 0; i < kRecords; ++i)
      EXPECT_EQ(cache->find(std::to_string(w) + "/" + std::to_string(i)), "text");
  }
}

TEST_F(SqliteVerdictsTest, AFileThatIsNoDatabaseIsAnErrorThatSaysWhatToDo) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << std::string(8192, 'z');
  auto opened = SqliteVerdicts::open(file_, nullptr);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().kind, ErrorKind::kInfra);
  EXPECT_NE(opened.error().hint.find(file_.string()), std::string::npos);
}

TEST_F(SqliteVerdictsTest, AFolderThatCannotBeMadeIsAnError) {
  std::ofstream(folder_->path() / "new") << "a file where the folder should be";
  EXPECT_FALSE(SqliteVerdicts::open(file_, nullptr).has_value());
}

TEST_F(SqliteVerdictsTest, AFileThatBreaksLaterIsGoneOnWithoutAfterOneWarning) {
  auto cache = open();
  for (int i = 0; i < 200; ++i) cache->keep({{std::to_string(i), std::string(5000, 'x')}});
  cache.reset();
  auto size = fs::file_size(file_);
  {
    std::fstream out(file_, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(4096);  // the first page stays: the file opens
    out << std::string(std::size_t(size - 4096), '\xff');
  }
  auto opened =
      SqliteVerdicts::open(file_, [this](const std::string& text) { warnings_.push_back(text); });
  if (!opened) return;  // noticed at once: as good
  for (int i = 0; i < 200; ++i) (*opened)->find(std::to_string(i));
  (*opened)->keep({{"k", "text"}});
  EXPECT_EQ((*opened)->find("k"), std::nullopt);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(SqliteVerdictsTest, ItsPlaceFollowsTheUsersSettings) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  std::string before = cache != nullptr ? cache : "";
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(verdicts_file(), "/somewhere/suture/verdicts.sqlite");
  setenv("XDG_CACHE_HOME", "relative", 1);  // says the standard: not valid
  EXPECT_TRUE(verdicts_file().string().ends_with("/.cache/suture/verdicts.sqlite"));
  before.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace suture
