#include "client/present/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/present/sample_result.h"

namespace suture {
namespace {

using nlohmann::json;
using testing::sample_patched;
using testing::sample_unpatched;

json run_of(const RepairResult& result, const JobContext& context = {"0.1.0"}) {
  json log = json::parse(render_sarif(result, context));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1u);
  return log["runs"][0];
}

json replacements_of(const std::string& before, const std::string& after) {
  RepairResult result = sample_patched();
  result.proposals[0].diff = *unified_diff({{"a b.py", before, after}});
  return run_of(result)["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"];
}

TEST(Sarif, APatchIsAResultWithAFixAndARule) {
  JobContext context{"0.1.0"};
  context.rules["guard-none"] = {"A value that can be None is used without asking", "Because."};
  json run = run_of(sample_patched(), context);
  json result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "guard-none");
  EXPECT_EQ(result["message"]["text"], "`x` can be None here.");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  json change = result["fixes"][0]["artifactChanges"][0];
  EXPECT_EQ(change["artifactLocation"], (json{{"uri", "pkg/mod.py"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(change["replacements"][0], json::parse(R"({
    "deletedRegion": {"startLine": 2, "startColumn": 1, "endLine": 3, "endColumn": 1},
    "insertedContent": {"text": "B\n"}})"));
  EXPECT_EQ(result["properties"]["rerun"][0]["verdict"], "PASSED");
  EXPECT_EQ(result["properties"]["notRerun"], "no other test of the tree reaches the edited lines");
  json rule = run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()];
  EXPECT_EQ(rule["id"], "guard-none");
  EXPECT_EQ(rule["name"], "GuardNone");
  EXPECT_EQ(rule["shortDescription"]["text"], "A value that can be None is used without asking.");
  EXPECT_FALSE(rule["help"]["markdown"].get<std::string>().empty());
}

TEST(Sarif, FixesCoverInsertionsDeletionsAndTheLastLine) {
  json insertion = replacements_of("a\nb\n", "a\nx\nb\n");
  EXPECT_EQ(insertion[0]["deletedRegion"],
            (json{{"startLine", 2}, {"startColumn", 1}, {"endLine", 2}, {"endColumn", 1}}));
  json deletion = replacements_of("a\nb\n", "b\n");
  EXPECT_FALSE(deletion[0].contains("insertedContent"));
  json last = replacements_of("a\nb\xc3\xa9", "a\nc");
  EXPECT_EQ(last[0]["deletedRegion"],
            (json{{"startLine", 2}, {"startColumn", 1}, {"endLine", 2}, {"endColumn", 3}}));
  EXPECT_EQ(last[0]["insertedContent"]["text"], "c");
}

TEST(Sarif, PathsAreUris) {
  RepairResult result = sample_patched();
  result.proposals[0].candidate.location.file = "a b/#c.py";
  EXPECT_EQ(
      run_of(result)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
      "a%20b/%23c.py");
}

TEST(Sarif, FingerprintsSurviveMovedLines) {
  RepairResult moved = sample_patched();
  moved.proposals[0].diff = *unified_diff({{"pkg/mod.py", "new\na\nb\nc\n", "new\na\nB\nc\n"}});
  moved.proposals[0].candidate.location.line = 3;
  auto print = [](const RepairResult& result) {
    return run_of(result)["results"][0]["partialFingerprints"]["primaryLocationLineHash"];
  };
  EXPECT_EQ(print(sample_patched()), print(moved));
}

TEST(Sarif, WithoutAPatchTheReasonIsANotification) {
  json run = run_of(sample_unpatched());
  EXPECT_EQ(run["results"], json::array());
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "NO_PATCH: no candidate makes the check pass with enough confidence.");
  RepairResult broken;
  broken.outcome = Outcome::kInfraError;
  EXPECT_EQ(run_of(broken)["invocations"][0]["executionSuccessful"], false);
}

TEST(Sarif, SaysWhichRevisionOfWhat) {
  JobContext context{"0.1.0"};
  context.revision = "abc";
  EXPECT_FALSE(run_of(sample_patched(), context).contains("versionControlProvenance"));
  context.origin = "https://example.org/x.git";
  EXPECT_EQ(run_of(sample_patched(), context)["versionControlProvenance"][0]["revisionId"], "abc");
}

}  // namespace
}  // namespace suture
