#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "client/cli/exit_code.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryRun;
using ::testing::HasSubstr;
using testing::run_suture;

nlohmann::json finding(const BinaryRun& run, const std::string& id) {
  nlohmann::json report = nlohmann::json::parse(run.out);  // outlives the loop over a part of it
  for (const auto& each : report["findings"]) {
    if (each["id"] == id) return each;
  }
  return nullptr;
}

TEST(Doctor, FindsThisMachineFit) {
  BinaryRun run = run_suture({"doctor", "--json"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  for (const char* id :
       {"interpreter", "pytest", "bubblewrap", "user-namespaces", "sandbox", "overlay",
        "temporary-space", "patterns", "probe", "git", "g++", "clang", "ccache", "nvcc", "gpu"}) {
    nlohmann::json found = finding(run, id);
    ASSERT_TRUE(found.is_object()) << id;
    bool good = found["state"] == "good";
    EXPECT_EQ(found["cost"].get<std::string>().empty(), good) << found;
  }
  EXPECT_EQ(nlohmann::json::parse(run.out)["repairs_can_run"], true);
}

TEST(Doctor, SpeaksToPeopleToo) {
  BinaryRun run = run_suture({"doctor"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("ok       interpreter"));
  EXPECT_THAT(run.out, HasSubstr("Repairs can run.\n"));
}

TEST(Doctor, SaysWhatAnEmptyMachineLacks) {
  BinaryRun run =
      run_suture({"doctor", "--json"}, {.env = {{"PATH", "/nonexistent"}, {"VIRTUAL_ENV", ""}}});
  EXPECT_EQ(run.status, kExitInfrastructure);
  for (const char* id : {"interpreter", "bubblewrap", "sandbox"}) {
    EXPECT_EQ(finding(run, id)["state"], "blocking") << id;
    EXPECT_NE(finding(run, id)["cost"], "") << id;
  }
  EXPECT_EQ(finding(run, "git")["state"], "limited");
}

TEST(Doctor, MissesThePatterns) {
  BinaryRun run = run_suture({"doctor", "--json"}, {.env = {{"SUTURE_SHARE", "/nowhere"}}});
  EXPECT_EQ(run.status, kExitInfrastructure);
  EXPECT_EQ(finding(run, "patterns")["state"], "blocking");
  EXPECT_THAT(finding(run, "patterns")["found"].get<std::string>(), HasSubstr("/nowhere"));
}

TEST(Doctor, TriesTheTemporaryFolder) {
  BinaryRun run = run_suture({"doctor", "--json"}, {.env = {{"TMPDIR", "/nowhere"}}});
  EXPECT_EQ(run.status, kExitInfrastructure);
  EXPECT_EQ(finding(run, "temporary-space")["state"], "blocking");
}

}  // namespace
}  // namespace suture
