#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "client/cli/exit_code.h"
#include "tests/support/shell.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using nlohmann::json;
using testing::BinaryRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_suture;
using testing::slurp;

class ScanCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write(tree() / "pkg/a.py",
                   "def f(x):\n"
                   "    if x is 'a':\n"
                   "        x == 2\n"
                   "    return x\n");
    testing::write(tree() / "pkg/fine.py", "x = 1\n");
  }
  BinaryRun scan(std::vector<std::string> words) {
    words.insert(words.begin(), "scan");
    return run_suture(words, {.folder = tree()});
  }
  std::filesystem::path tree() { return scratch_.path(); }

  TemporaryFolder scratch_ = std::move(*TemporaryFolder::make("suture-test-"));
};

TEST_F(ScanCommandTest, ListsFindingsAndTouchesNothing) {
  std::string before = testing::state_of(tree());
  BinaryRun run = scan({});
  EXPECT_EQ(run.status, kExitNoPatch) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out,
            "pkg/a.py:2:10: is-literal: `is` compares identity; a literal is compared by value\n"
            "    if x is 'a':\n"
            "    safe fix: compare `x` with a literal by value, not by identity\n"
            "pkg/a.py:3:9: comparison-statement: the comparison is a statement of its own: its "
            "result is dropped\n"
            "    x == 2\n"
            "    suggestion: assign instead of comparing\n"
            "2 findings in 2 files, 1 of them safe to repair with --apply\n");
  EXPECT_EQ(testing::state_of(tree()), before);
}

TEST_F(ScanCommandTest, ExitCodesTellWhatIsLeft) {
  EXPECT_EQ(scan({"pkg/fine.py"}).status, 0);
  EXPECT_EQ(scan({"pkg/fine.py"}).out, "no findings in 1 file\n");
  EXPECT_EQ(scan({"nowhere"}).status, kExitUsage);
  EXPECT_EQ(scan({"--only", "no-such-pattern"}).status, kExitUsage);
  EXPECT_THAT(scan({"--only", "is-literl"}).err, HasSubstr("did you mean `is-literal`?"));
  EXPECT_EQ(scan({"--format", "yaml"}).status, kExitUsage);
  EXPECT_EQ(scan({"--exclude", "is-literal,comparison-statement"}).status, 0);
}

TEST_F(ScanCommandTest, ApplyWritesTheSafeFixesOnly) {
  BinaryRun run = scan({"--apply"});
  EXPECT_EQ(run.status, kExitNoPatch) << run.err;
  EXPECT_THAT(run.out, HasSubstr("pkg/a.py:2:10: is-literal: repaired: "));
  EXPECT_THAT(run.out, HasSubstr("1 finding in 2 files, 1 repaired\n"));
  EXPECT_EQ(slurp(tree() / "pkg/a.py"),
            "def f(x):\n    if x == 'a':\n        x == 2\n    return x\n");
  EXPECT_EQ(scan({"--apply", "--only", "is-literal"}).status, 0);
  EXPECT_THAT(scan({}).out, HasSubstr("1 finding in 2 files\n"));
}

TEST_F(ScanCommandTest, AllRepairedIsSuccess) {
  BinaryRun run = scan({"pkg/a.py", "--only", "is-literal", "--apply", "--format", "json"});
  EXPECT_EQ(run.status, 0) << run.err;
  json document = json::parse(run.out);
  EXPECT_EQ(document["written"], json::array({"pkg/a.py"}));
  EXPECT_EQ(document["findings"], json::array());
  EXPECT_EQ(document["repaired"][0]["pattern"], "is-literal");
}

TEST_F(ScanCommandTest, JsonHasEverything) {
  testing::write(tree() / "pkg/odd.py", "x = '\xff'\n");
  BinaryRun run = scan({"--format", "json"});
  json document = json::parse(run.out);
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["files"], 2);
  json first = document["findings"][0];
  EXPECT_EQ(first["file"], "pkg/a.py");
  EXPECT_EQ(first["line"], 2);
  EXPECT_EQ(first["end_column"], 16);
  EXPECT_EQ(first["fix"]["safety"], "safe");
  EXPECT_EQ(first["fix"]["edits"], json::parse(R"([{"line": 2, "column": 10, "end_line": 2,
                                                    "end_column": 12, "text": "=="}])"));
  EXPECT_EQ(document["warnings"][0]["file"], "pkg/odd.py");
  EXPECT_THAT(run.err, HasSubstr("pkg/odd.py: not scanned: it is not UTF-8"));
  EXPECT_EQ(scan({"-q", "--format", "json"}).err, "");
}

TEST_F(ScanCommandTest, SarifHasRulesResultsAndFixes) {
  json run = json::parse(scan({"--format", "sarif"}).out)["runs"][0];
  json result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "is-literal");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["name"],
            "IsLiteral");
  EXPECT_EQ(result["level"], "warning");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"],
            json::parse(R"({"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 16})"));
  json change = result["fixes"][0]["artifactChanges"][0];
  EXPECT_EQ(change["artifactLocation"], (json{{"uri", "pkg/a.py"}, {"uriBaseId", "%SRCROOT%"}}));
  EXPECT_EQ(change["replacements"][0]["insertedContent"]["text"], "==");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
}

TEST_F(ScanCommandTest, GithubAnnotationsAreOneLineEach) {
  testing::write(tree() / "pkg/100%, a.py", "def f(x):\n    return '%s' % (x,\n    x)\n");
  BinaryRun run = scan({"--format", "github", "pkg/100%, a.py"});
  EXPECT_EQ(run.out,
            "::warning file=pkg/100%25%2C a.py,line=2,col=12,endLine=3,title=suture "
            "(percent-arguments)::the text has another number of placeholders than there are "
            "values\n");
}

TEST_F(ScanCommandTest, ReadsPatternsOfTheUser) {
  testing::write(tree() / "own/no-print.yaml", R"yaml(id: no-print
family: other
summary: leave out the print
rationale: Programs that serve print nothing.
match: {any: ["print($$$ARGS)"]}
scan: {message: "prints $ARGS", repair: never}
tests:
  finds:
    - {name: a, before: "print(1)"}
    - {name: b, before: "def f(x): print(x)"}
  leaves:
    - {name: c, before: "log(1)"}
    - {name: d, before: "x.print(1)"}
)yaml");
  testing::write(tree() / "pkg/b.py", "print(3)\n");
  EXPECT_THAT(scan({"--patterns", "own", "--only", "no-print"}).out,
              HasSubstr("pkg/b.py:1:1: no-print: prints 3\n"));
  testing::write(tree() / "own/broken.yaml", "id: broken\nscan: {mesage: x}\n");
  BinaryRun run = scan({"--patterns", "own"});
  EXPECT_EQ(run.status, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("own/broken.yaml:"));
}

TEST_F(ScanCommandTest, HelpHasExamples) {
  BinaryRun run = run_suture({"scan", "--help"});
  EXPECT_THAT(run.out, HasSubstr("suture scan --apply\n"));
  EXPECT_THAT(run.out, HasSubstr("# suture: ignore["));
  EXPECT_THAT(run.out, Not(HasSubstr("--check")));
}

}  // namespace
}  // namespace suture
