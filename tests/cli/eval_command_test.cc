// `suture eval` as a user runs it, from the command line to the file of result lines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using suture::testing::shell;
using suture::testing::ShellResult;
using suture::testing::slurp;
using suture::testing::write;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EvalCommandTest : public ::testing::Test {
 protected:
  EvalCommandTest() {
    write(root() / "trees" / "green" / "a.py", "print('fine')\n");
    write(root() / "trees" / "slow" / "a.py", "import time; time.sleep(60)\n");
    write(root() / "checks" / "run.py", "import a\n");
  }

  std::filesystem::path root() const { return folder_.path(); }

  /// A row whose check imports a.py of the tree through a script in {checks}.
  static std::string row(const std::string& id) {
    return R"({"instance_id": ")" + id +
           R"(", "repo": "o/n", "family": "other", "language": "python", "problem_statement": "it fails",)"
           R"( "check": {"command": ["python3", "{checks}/run.py"], "env": {"PYTHONPATH": "."}}})"
           "\n";
  }

  ShellResult eval(const std::string& more) {
    return shell(root(), std::string(SUTURE_BINARY) +
                             " eval --dataset d.jsonl --trees trees --checks " +
                             "checks --python " SUTURE_PYTHON " --out r.jsonl " + more);
  }

  std::vector<std::string> outcomes() {
    std::vector<std::string> list;
    std::string text = slurp(root() / "r.jsonl");
    for (std::string_view line : split_lines(text)) {
      auto fields = nlohmann::json::parse(line);
      list.push_back(fields["instance_id"].get<std::string>() + " " +
                     fields["outcome"].get<std::string>());
    }
    return list;
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(EvalCommandTest, WritesALineForEachBugAndResumes) {
  write(root() / "d.jsonl", row("green") + row("missing"));
  ShellResult first = eval("--jobs 1 --details details");
  EXPECT_EQ(first.status, 0) << first.output;
  EXPECT_THAT(outcomes(), ElementsAre("green NOT_REPRODUCED", "missing INFRA_ERROR"));
  EXPECT_THAT(slurp(root() / "r.jsonl"), HasSubstr("bugs.py prepare d.jsonl"));
  EXPECT_THAT(first.output, HasSubstr("2/2 bugs, 0 patched"));
  auto details = nlohmann::json::parse(slurp(root() / "details" / "green.json"), nullptr, false);
  EXPECT_FALSE(details.is_discarded());

  ShellResult again = eval("--jobs 1");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.output, HasSubstr("exists already"));

  write(root() / "trees" / "missing" / "a.py", "pass\n");
  ShellResult resumed = eval("--jobs 1 --resume --retry-infra --json 2>/dev/null");
  EXPECT_EQ(resumed.status, 0) << resumed.output;
  EXPECT_THAT(outcomes(),
              ElementsAre("green NOT_REPRODUCED", "missing INFRA_ERROR", "missing NOT_REPRODUCED"));
  auto table = nlohmann::json::parse(resumed.output, nullptr, false);
  ASSERT_FALSE(table.is_discarded()) << resumed.output;
  EXPECT_EQ(table["all"]["outcomes"]["NOT_REPRODUCED"], 2);
  EXPECT_EQ(table["all"]["infra_errors"], 0);
}

TEST_F(EvalCommandTest, AnInterruptionKeepsFinishedLines) {
  write(root() / "d.jsonl", row("green") + row("slow"));
  // The signal comes as soon as the first line is there.
  ShellResult result = shell(
      root(), std::string(SUTURE_BINARY) +
                  " eval --dataset d.jsonl --trees trees --checks checks --python " SUTURE_PYTHON
                  " --out r.jsonl --jobs 1 & pid=$!; "
                  "while kill -0 $pid 2>/dev/null && ! test -s r.jsonl; do sleep 0.1; done; "
                  "sleep 1; kill -INT $pid; wait $pid");
  EXPECT_EQ(result.status, 130) << result.output;
  EXPECT_THAT(outcomes(), ElementsAre("green NOT_REPRODUCED"));
}

TEST_F(EvalCommandTest, BadInputIsAUsageError) {
  write(root() / "d.jsonl", row("green") + "{\"instance_id\": \"x\"}\n");
  ShellResult result = eval("");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.output, HasSubstr("d.jsonl:2: "));
  EXPECT_FALSE(std::filesystem::exists(root() / "r.jsonl"));

  write(root() / "d.jsonl", row("green"));
  EXPECT_EQ(eval("--ids nobody").status, 2);
  EXPECT_EQ(eval("--budget lots").status, 2);
  EXPECT_EQ(eval("--python /nowhere/python3").status, 2);
  EXPECT_EQ(eval("--checks nowhere").status, 2);
  EXPECT_FALSE(std::filesystem::exists(root() / "r.jsonl"));
}

}  // namespace
}  // namespace suture
