#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "client/cli/exit_code.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::BinaryRun;
using testing::BrokenTree;
using ::testing::HasSubstr;
using ::testing::Not;

/// Repairs of one tree with one cache.
class CacheTest : public ::testing::Test {
 protected:
  BinaryRun repair(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--budget", "60 runs"});
    testing::BinaryOptions options;
    options.env["XDG_CACHE_HOME"] = cache_.string();
    return tree_.repair(arguments, options);
  }

  json result(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    BinaryRun run = repair(arguments);
    EXPECT_EQ(run.status, kExitPatched) << run.out << run.err;
    return json::parse(run.out);
  }

  BrokenTree tree_;
  fs::path cache_ = tree_.beside() / "cache";
};

TEST_F(CacheTest, TheSecondRunOfAJobRunsNoCheckAndFindsTheSame) {
  json first = result(), second = result();
  EXPECT_GT(first["costs"]["check_runs"], 2);
  EXPECT_EQ(first["costs"]["cached_runs"], 0);
  EXPECT_EQ(second["costs"]["check_runs"], 0);
  EXPECT_EQ(second["costs"]["cached_runs"], first["costs"]["check_runs"]);
  EXPECT_EQ(second["proposals"][0]["diff"], first["proposals"][0]["diff"]);
  EXPECT_EQ(second["proposals"][0]["rerun"][0]["origin"], "cache");
  EXPECT_EQ(second["trials"].size(), first["trials"].size());
  EXPECT_EQ(second["failure"], first["failure"]);
  EXPECT_EQ(second["locations"], first["locations"]);
}

TEST_F(CacheTest, ItSaysWhereItsVerdictsComeFrom) {
  repair({});
  BinaryRun run = repair({"--explain"});
  EXPECT_THAT(run.out, HasSubstr("(by an earlier job)"));
  EXPECT_THAT(run.out, HasSubstr("[from the cache]"));
  EXPECT_THAT(run.out, HasSubstr("from the cache of earlier jobs"));
}

TEST_F(CacheTest, WithoutItEverythingIsRun) {
  json first = result();
  json second = result({"--no-cache"});
  EXPECT_EQ(second["costs"]["check_runs"], first["costs"]["check_runs"]);
}

TEST_F(CacheTest, AChangedTreeIsRunAgain) {
  json first = result();
  tree_.write("other.py", "x = 1\n");
  EXPECT_EQ(result()["costs"]["check_runs"], first["costs"]["check_runs"]);
}

TEST_F(CacheTest, ABrokenCacheCostsOneWarning) {
  result();
  std::ofstream(cache_ / "suture" / "verdicts.sqlite") << std::string(10'000, 'z');
  BinaryRun run = repair({});
  EXPECT_EQ(run.status, kExitPatched) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("verdicts.sqlite"));
  EXPECT_THAT(run.err, HasSubstr("--no-cache"));
  EXPECT_THAT(repair({"--no-cache"}).err, Not(HasSubstr("verdicts.sqlite")));
}

TEST_F(CacheTest, SoDoesAPlaceThatCannotBeWritten) {
  cache_ = "/proc/nowhere";
  BinaryRun run = repair({});
  EXPECT_EQ(run.status, kExitPatched) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("/proc/nowhere"));
}

}  // namespace
}  // namespace suture
