#include "client/eval/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "repair/base/file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

/// A virtual environment as venv makes it: <root>/env/bin/python3 is a link to
/// <root>/base/bin/python3.11.
class TaskTest : public testing::Test {
 protected:
  TaskTest() {
    fs::create_directories(root() / "env" / "bin");
    fs::create_directories(root() / "base" / "bin");
    std::ofstream(root() / "base" / "bin" / "python3.11") << "#!/bin/sh\n";
    fs::create_symlink(root() / "base" / "bin" / "python3.11", root() / "env" / "bin" / "python3");
    setup_.trees = "/trees";
    setup_.checks = "/the/checks";
    setup_.python = root() / "env" / "bin" / "python3";
  }
  fs::path root() const { return folder_.path(); }
  Instance instance() const {
    Check check{
        {"python3", "{checks}/a/{checks}.py", "{env}"}, {{"P", ".:{env}/deps:{checks}"}}, {}};
    check.timeout = std::chrono::seconds(7);
    return Instance{"bug-1", "it fails", check};
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  EvalSetup setup_;
};

TEST_F(TaskTest, FillsIn) {
  RepairTask task = make_task(instance(), setup_);
  std::string env = (root() / "env").string();
  EXPECT_EQ(task.tree, "/trees/bug-1");
  EXPECT_THAT(task.check.command, ElementsAre("python3", "/the/checks/a//the/checks.py", env));
  EXPECT_THAT(task.check.env, ElementsAre(Pair("P", ".:" + env + "/deps:/the/checks")));
  EXPECT_EQ(task.check.timeout, std::chrono::seconds(7));
  EXPECT_TRUE(task.details_file.empty());
}

TEST_F(TaskTest, TheCheckMayReadItsScriptsAndItsInterpreter) {
  EXPECT_THAT(make_task(instance(), setup_).visible,
              UnorderedElementsAre(fs::path("/the/checks"), root() / "env",
                                   fs::canonical(root() / "base")));
}

TEST_F(TaskTest, ASystemInterpreterOpensNothing) {
  setup_.checks.clear();
  setup_.python = "/bin/python3";  // two folders up is "/"
  for (const fs::path& folder : make_task(instance(), setup_).visible) {
    EXPECT_NE(folder, "/");
    EXPECT_NE(folder, "/usr");
  }
}

TEST_F(TaskTest, AnInterpreterOfAnotherNameGoesIntoTheCommand) {
  setup_.python = root() / "base" / "bin" / "python3.11";
  EXPECT_EQ(make_task(instance(), setup_).check.command[0], setup_.python);
}

TEST_F(TaskTest, TimeoutOfTheUserWins) {
  setup_.timeout = std::chrono::seconds(3);
  EXPECT_EQ(make_task(instance(), setup_).check.timeout, std::chrono::seconds(3));
}

TEST_F(TaskTest, CrossesToTheProcessUnchanged) {
  setup_.details = "/details";
  setup_.budget = {std::nullopt, 40};
  setup_.patterns = {{"/mine"}, {"guard-none"}, {"other"}};
  setup_.confidence_threshold = 0.5;
  setup_.search = RepairRequest::Search::kOnlySilencing;
  setup_.tiers = RepairRequest::Tiers::kFreshOnly;
  setup_.sandbox = false;
  RepairTask task = make_task(instance(), setup_);
  Result<RepairTask> back = read_task(write_task(task));
  ASSERT_TRUE(back) << back.error().display();
  EXPECT_EQ(write_task(*back), write_task(task));
  EXPECT_EQ(back->details_file, "/details/bug-1.json");
  EXPECT_EQ(back->budget.check_runs, 40);
  EXPECT_EQ(back->budget.time, std::nullopt);
  EXPECT_EQ(back->search, RepairRequest::Search::kOnlySilencing);
  EXPECT_EQ(back->tiers, RepairRequest::Tiers::kFreshOnly);
  EXPECT_FALSE(back->sandbox);
}

TEST_F(TaskTest, GarbageIsNoTask) {
  EXPECT_FALSE(read_task(""));
  EXPECT_FALSE(read_task("{}"));
  EXPECT_FALSE(read_task("[1]"));
}

TEST_F(TaskTest, BecomesARequest) {
  setup_.budget = {std::chrono::seconds(60), std::nullopt};
  setup_.confidence_threshold = 0.5;
  RepairRequest request = request_of(make_task(instance(), setup_));
  EXPECT_EQ(request.tree, "/trees/bug-1");
  ASSERT_TRUE(request.check);
  EXPECT_EQ(request.check->command[0], "python3");
  ASSERT_TRUE(request.report);
  EXPECT_EQ(request.report->text, "it fails");
  EXPECT_EQ(request.interpreter, setup_.python);
  EXPECT_EQ(request.jobs, 1);
  EXPECT_EQ(request.confidence_threshold, 0.5);
}

TEST_F(TaskTest, AnEmptyReportIsLeftOut) {
  Instance silent = instance();
  silent.report.clear();
  EXPECT_FALSE(request_of(make_task(silent, setup_)).report);
}

/// The rule that makes measurements mean something. A RepairTask is all that the process of a bug
/// gets, and a row in which every field about the fix is marked leaves no mark in it.
TEST_F(TaskTest, NothingAboutTheFixReachesTheTool) {
  const char* row =
      R"({"instance_id": "bug-1", "repo": "LEAK/repo", "problem_statement": "it fails",)"
      R"( "check": {"command": ["python3", "{checks}/c.py"], "env": {}, "timeout_s": 5, "note": "LEAK"},)"
      R"( "base_commit": "LEAK", "fix_commit": "LEAK", "fix_source": {"pypi": "LEAK==1"},)"
      R"( "source": {"pypi": "LEAK==0"}, "created_at": "LEAK", "language": "LEAK", "family": "LEAK",)"
      R"( "strategy": "LEAK", "changed_loc": 1234567, "symptom": "LEAK", "files": ["LEAK.py"],)"
      R"( "reference": ["LEAK"], "root_cause": "LEAK", "ingredient": "LEAK", "patch": "LEAK",)"
      R"( "test_patch": "LEAK", "hints_text": "LEAK", "PASS_TO_PASS": "LEAK", "FAIL_TO_PASS": "LEAK"})";
  Result<DataSet> data = parse_dataset(row, "d.jsonl");
  ASSERT_TRUE(data) << data.error().display();
  setup_.details = "/details";
  std::string told = write_task(make_task(data->instances[0], setup_));
  EXPECT_THAT(told, HasSubstr("it fails"));
  EXPECT_THAT(told, Not(HasSubstr("LEAK")));
  EXPECT_THAT(told, Not(HasSubstr("1234567")));
}

}  // namespace
}  // namespace suture
