#include "repair/reproduce/installed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Prints the same answer to every question.
class AnsweringExecutor final : public Executor {
 public:
  explicit AnsweringExecutor(std::string output) { run_.output = std::move(output); }
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken&) override {
    commands.push_back(request.check->command);
    return run_;
  }
  CheckRun run_ = {.verdict = Verdict::kPassed};
  std::vector<std::vector<std::string>> commands;
};

ProbeInstalled asking(Executor& executor) {
  return ProbeInstalled(executor, "python3", {}, {"mine"}, CancelToken());
}

TEST(ProbeInstalled, AsksOnceInACleanProcess) {
  AnsweringExecutor executor("import noise\nSUTURE-ANSWER [true]\n");
  ProbeInstalled installed = asking(executor);
  EXPECT_TRUE(installed.has_module("torch.fx"));
  EXPECT_TRUE(installed.has_module("torch.fx"));
  ASSERT_EQ(executor.commands.size(), 1u);
  EXPECT_EQ(executor.commands[0].at(0), "python3");
  nlohmann::json question = nlohmann::json::parse(executor.commands[0].at(2));
  EXPECT_EQ(question["own"], nlohmann::json({"mine"}));
  EXPECT_EQ(question["questions"][0]["module"], "torch.fx");
}

TEST(ProbeInstalled, ReadsNames) {
  AnsweringExecutor executor("SUTURE-ANSWER [[\"a\", 1, \"b\"]]");
  EXPECT_THAT(asking(executor).names_of("m"), ElementsAre("a", "b"));
}

TEST(ProbeInstalled, ReadsExporters) {
  AnsweringExecutor executor(
      R"(SUTURE-ANSWER [[{"module": "m", "name": "n", "kind": "class"}, {"name": "x"}, 3]])");
  auto exports = asking(executor).exporters("n", "m");
  ASSERT_EQ(exports.size(), 1u);
  EXPECT_EQ(exports[0].module + exports[0].name + exports[0].kind, "mnclass");
}

TEST(ProbeInstalled, ReadsSignatures) {
  AnsweringExecutor executor(R"(SUTURE-ANSWER [[{"name": "a", "kind": "POSITIONAL_OR_KEYWORD"},
 {"name": "rest", "kind": "VAR_KEYWORD"}]])");
  EXPECT_FALSE(asking(executor).signature("m:f")) << "an answer is one line";
  executor.run_.output =
      R"(SUTURE-ANSWER [[{"name": "a", "kind": "KEYWORD_ONLY", "default": "None"}]])";
  auto parameters = asking(executor).signature("m:f");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->at(0).kind, Parameter::Kind::kKeywordOnly);
  EXPECT_TRUE(parameters->at(0).has_default);
  EXPECT_EQ(parameters->at(0).default_text, "None");
}

TEST(ProbeInstalled, KnowsNothingWithoutAnAnswer) {
  for (const char* output : {"", "SUTURE-ANSWER", "SUTURE-ANSWER {", "SUTURE-ANSWER [null]",
                             "SUTURE-ANSWER [1, 2]", "SUTURE-ANSWER {\"a\": 1}"}) {
    AnsweringExecutor executor(output);
    ProbeInstalled installed = asking(executor);
    EXPECT_FALSE(installed.has_module("m"));
    EXPECT_THAT(installed.names_of("m"), IsEmpty());
    EXPECT_THAT(installed.exporters("n", "m"), IsEmpty());
    EXPECT_FALSE(installed.signature("m:f"));
    EXPECT_EQ(installed.version("m"), "");
  }
}

TEST(ProbeInstalled, DoesNotTrustAProcessThatFailed) {
  AnsweringExecutor executor("SUTURE-ANSWER [true]");
  executor.run_.verdict = Verdict::kCrashed;
  EXPECT_FALSE(asking(executor).has_module("m"));
}

}  // namespace
}  // namespace suture
