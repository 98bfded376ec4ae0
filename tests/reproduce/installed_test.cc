#include "repair/reproduce/installed.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Plays the process that answers: the same line to every question, or its end when there is none.
class AnsweringExecutor final : public Executor {
 public:
  explicit AnsweringExecutor(std::string answer) : answer_(std::move(answer)) {}
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken& cancel) override {
    commands.push_back(request.check->command);
    std::filesystem::path folder = request.check->command.at(2);
    int asked = open((folder / "questions").c_str(), O_RDONLY | O_NONBLOCK);
    int told = open((folder / "answers").c_str(), O_WRONLY);
    pollfd poll_for{asked, POLLIN, 0};
    while (!cancel.cancelled()) {
      if (poll(&poll_for, 1, 10) <= 0) continue;
      char buffer[4096];
      ssize_t got = read(asked, buffer, sizeof buffer);
      questions.append(buffer, got > 0 ? std::size_t(got) : 0);
      std::string line = answer_ + "\n";
      if (answer_.empty() || write(told, line.data(), line.size()) < 0) break;
    }
    close(asked);
    close(told);
    return {};
  }
  std::string questions;
  std::vector<std::vector<std::string>> commands;

 private:
  std::string answer_;
};

ProbeInstalled asking(Executor& executor) {
  return ProbeInstalled(executor, "python3", {}, {"mine"}, CancelToken());
}

TEST(ProbeInstalled, AsksOneProcessEachQuestionOnce) {
  AnsweringExecutor executor("true");
  {
    ProbeInstalled installed = asking(executor);
    EXPECT_TRUE(installed.has_module("torch.fx"));
    EXPECT_TRUE(installed.has_module("torch.fx"));
    EXPECT_TRUE(installed.has_module("torch.nn"));
  }
  ASSERT_EQ(executor.commands.size(), 1u);
  EXPECT_EQ(executor.commands[0].at(0), "python3");
  EXPECT_EQ(executor.commands[0].at(3), R"(["mine"])");
  EXPECT_EQ(executor.questions,
            "{\"ask\":\"has_module\",\"module\":\"torch.fx\"}\n"
            "{\"ask\":\"has_module\",\"module\":\"torch.nn\"}\n");
}

TEST(ProbeInstalled, ReadsNames) {
  AnsweringExecutor executor(R"(["a", 1, "b"])");
  EXPECT_THAT(asking(executor).names_of("m"), ElementsAre("a", "b"));
}

TEST(ProbeInstalled, ReadsExporters) {
  AnsweringExecutor executor(
      R"([{"module": "m", "name": "n", "kind": "class"}, {"name": "x"}, 3])");
  auto exports = asking(executor).exporters("n", "m");
  ASSERT_EQ(exports.size(), 1u);
  EXPECT_EQ(exports[0].module + exports[0].name + exports[0].kind, "mnclass");
}

TEST(ProbeInstalled, ReadsSignatures) {
  AnsweringExecutor executor(R"([{"name": "a", "kind": "KEYWORD_ONLY", "default": "None"}])");
  auto parameters = asking(executor).signature("m:f");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->at(0).kind, Parameter::Kind::kKeywordOnly);
  EXPECT_TRUE(parameters->at(0).has_default);
  EXPECT_EQ(parameters->at(0).default_text, "None");
}

TEST(ProbeInstalled, KnowsNothingWithoutAnAnswer) {
  for (const char* answer : {"{", "null", "3", R"({"a": 1})"}) {
    AnsweringExecutor executor(answer);
    ProbeInstalled installed = asking(executor);
    EXPECT_FALSE(installed.has_module("m"));
    EXPECT_THAT(installed.names_of("m"), IsEmpty());
    EXPECT_THAT(installed.exporters("n", "m"), IsEmpty());
    EXPECT_FALSE(installed.signature("m:f"));
    EXPECT_EQ(installed.version("m"), "");
  }
}

TEST(ProbeInstalled, AsksANewProcessWhenOneEnded) {
  AnsweringExecutor executor("");
  ProbeInstalled installed = asking(executor);
  EXPECT_FALSE(installed.has_module("a"));
  EXPECT_FALSE(installed.has_module("a")) << "the missing answer is kept";
  EXPECT_FALSE(installed.has_module("b"));
  EXPECT_EQ(executor.commands.size(), 2u);
}

}  // namespace
}  // namespace suture
