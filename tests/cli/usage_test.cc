#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/cli/exit_code.h"
#include "client/cli/help_topics.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryRun;
using ::testing::HasSubstr;
using testing::run_suture;
using ::testing::StartsWith;

TEST(Usage, HelpAndVersionGoToStandardOutput) {
  for (std::vector<std::string> words :
       {std::vector<std::string>{"--help"}, {"help"}, {"repair", "--help"}, {"help", "repair"}}) {
    BinaryRun run = run_suture(words);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("repair"));
    EXPECT_EQ(run.err, "");
  }
  BinaryRun version = run_suture({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, ::testing::MatchesRegex("suture [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Usage, HelpOfRepairHasExamples) {
  EXPECT_THAT(run_suture({"repair", "--help"}).out,
              HasSubstr("suture repair --report failure.log\n"));
}

TEST(Usage, MistakesAreExitCode2WithAHintAndNothingOnStandardOutput) {
  struct Case {
    std::vector<std::string> words;
    std::string message;
  };
  const Case cases[] = {
      {{}, "subcommand"},
      {{"repiar"}, "did you mean repair?"},
      {{"repair", "--chekc", "x"}, "did you mean --check?"},
      {{"repair", "--check"}, "--check"},
      {{"repair"}, "nothing to repair"},
      {{"repair", "--check", "true", "--format", "yaml"}, "yaml"},
      {{"repair", "--check", "true", "--budget", "soon"}, "'soon' is not a budget"},
      {{"repair", "--check", "true", "--timeout", "0"}, "'0' is not a length of time"},
      {{"repair", "--check", "true", "--jobs", "0"}, "--jobs"},
      {{"repair", "--check", "true", "--confidence", "1.5"}, "--confidence"},
      {{"repair", "--check", "true", "--seed", "x"}, "--seed"},
      {{"repair", "--check", "true", "--env", "=x"}, "has no name"},
      {{"repair", "--check", "echo 'x"}, "quote"},
      {{"repair", "--check", ""}, "nothing to repair"},
      {{"repair", "--check", "true", "--repo", "/nowhere"}, "no such folder: /nowhere"},
      {{"repair", "--check", "true", "--repo", "/etc/passwd"}, "is not a folder"},
      {{"repair", "--check", "true", "--patterns", "/nowhere"}, "no such folder: /nowhere"},
      {{"help", "nonsense"}, "no help for 'nonsense'"},
      {{"completion", "tcsh"}, "tcsh"},
  };
  for (const Case& c : cases) {
    BinaryRun run = run_suture(c.words, {.folder = "/tmp"});
    EXPECT_EQ(run.status, kExitUsage) << ::testing::PrintToString(c.words) << run.err;
    EXPECT_THAT(run.err, HasSubstr(c.message)) << ::testing::PrintToString(c.words);
    EXPECT_THAT(run.err, StartsWith("suture: ")) << ::testing::PrintToString(c.words);
    EXPECT_EQ(run.out, "") << ::testing::PrintToString(c.words);
  }
}

TEST(Usage, EveryTopicHasHelp) {
  for (const HelpTopic& topic : help_topics()) {
    BinaryRun run = run_suture({"help", std::string(topic.name)});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, topic.text);
    EXPECT_THAT(run_suture({"help"}).out, HasSubstr(topic.name));
  }
}

TEST(Usage, EveryExitCodeAndOutcomeIsDocumented) {
  std::string text = run_suture({"help", "exit-codes"}).out;
  for (int code : {0, 1, 2, 3, 4, 5, 6, 70, 130}) {
    EXPECT_THAT(text, ::testing::ContainsRegex("\n +" + std::to_string(code) + "  "));
  }
  for (Outcome outcome : {Outcome::kPatched, Outcome::kNoPatch, Outcome::kNotReproduced,
                          Outcome::kFlakyCheck, Outcome::kNoCheck, Outcome::kEnvironment,
                          Outcome::kUnsupported, Outcome::kCancelled, Outcome::kInfraError}) {
    EXPECT_THAT(text, HasSubstr(std::string(to_string(outcome))));
  }
}

TEST(Usage, LinesFitATerminal) {
  for (const HelpTopic& topic : help_topics()) {
    for (std::size_t start = 0; start < topic.text.size();) {
      std::size_t end = topic.text.find('\n', start);
      EXPECT_LE(end - start, 110u) << topic.name << ": " << topic.text.substr(start, end - start);
      start = end + 1;
    }
  }
}

}  // namespace
}  // namespace suture
