#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "client/cli/exit_code.h"
#include "tests/support/shell.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using nlohmann::json;
using testing::BinaryRun;
using testing::BrokenTree;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::state_of;

/// A checkout whose check is one pytest test. What comes to mind first, a bound on `wanted`, makes
/// it pass; only the test of another file tells that it is wrong.
class RegressionTest : public ::testing::Test {
 protected:
  RegressionTest() {
    tree_.write("pkg/stock.py",
                "def free_shelves(shelves, wanted):\n"
                "    \"\"\"The shelves with room for so many boxes.\"\"\"\n"
                "    return [shelf for shelf in shelves if shelf.room > wanted]\n"
                "\n\n"
                "def first_free(shelves, wanted):\n"
                "    free = free_shelves(shelves, wanted)\n"
                "    return free[0].name\n");
    tree_.write("tests/test_exact.py", test_file("test_exact_fit", 2, 5));
    git();
  }

  /// A test that shelf "b" is the first one with room for five boxes.
  static std::string test_file(const std::string& name, int room_of_a, int room_of_b) {
    return "from types import SimpleNamespace\n\n"
           "from pkg.stock import first_free\n\n\n"
           "def " +
           name +
           "():\n"
           "    shelves = [SimpleNamespace(name='a', room=" +
           std::to_string(room_of_a) +
           "), SimpleNamespace(name='b', room=" + std::to_string(room_of_b) +
           ")]\n"
           "    assert first_free(shelves, 5) == 'b'\n";
  }

  void git() {
    auto made = testing::shell(tree_.tree(),
                               "git init -q && git add -A && git -c user.name=t -c user.email=t "
                               "commit -qm base");
    ASSERT_EQ(made.status, 0) << made.output;
  }

  BinaryRun repair(std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "--check",
        "python -m pytest -q -p no:cacheprovider tests/test_exact.py::test_exact_fit",
        "--budget",
        "60 runs",
        "--confidence",
        "0.05"};  // whether to trust it is another question
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tree_.repair_without_check(arguments);
  }

  BrokenTree tree_;
};

TEST_F(RegressionTest, ACandidateThatBreaksAnotherTestIsPassedOver) {
  tree_.write("tests/test_small.py", test_file("test_small_shelf_is_passed_over", 3, 9));
  git();
  std::string before = state_of(tree_.tree());
  BinaryRun run = repair({"--format", "json"});
  ASSERT_EQ(run.status, kExitPatched) << run.out << run.err;
  json result = json::parse(run.out);
  json proposal = result["proposals"][0];
  EXPECT_THAT(proposal["diff"].get<std::string>(), HasSubstr("+    return [shelf for shelf in "
                                                             "shelves if shelf.room >= wanted]"));
  EXPECT_THAT(proposal["rerun"].dump(), HasSubstr("tests/test_small.py (1 test that passed"));
  EXPECT_EQ(proposal["rerun"][1]["verdict"], "PASSED");
  EXPECT_EQ(proposal["not_rerun"], "");
  EXPECT_THAT(proposal["confidence_reasons"].get<std::vector<std::string>>(),
              Contains("other tests around the edited code still pass"));
  EXPECT_EQ(result["trials"][0]["verdict"], "FAILED");
  EXPECT_EQ(result["trials"][0]["reason"],
            "breaks tests/test_small.py::test_small_shelf_is_passed_over");
  EXPECT_EQ(state_of(tree_.tree()), before);
}

TEST_F(RegressionTest, WithoutOtherTestsItSaysSo) {
  BinaryRun run = repair({});
  ASSERT_EQ(run.status, kExitPatched) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("            no other test"));
}

TEST_F(RegressionTest, SameJsonWithAnyNumberOfJobs) {
  tree_.write("tests/test_small.py", test_file("test_small_shelf_is_passed_over", 3, 9));
  git();
  json first;
  for (const char* jobs : {"1", "2", "4"}) {
    json result = json::parse(repair({"--format", "json", "--jobs", jobs}).out);
    EXPECT_GT(result["costs"]["check_runs"], 0);
    result.erase("costs");
    // Rivals of the patch are looked at while there is time.
    auto passed = std::ranges::find_if(
        result["trials"], [](const json& trial) { return trial["verdict"] == "PASSED"; });
    ASSERT_NE(passed, result["trials"].end());
    result["trials"].erase(passed + 1, result["trials"].end());
    if (first.is_null()) first = result;
    EXPECT_EQ(result, first) << jobs << " jobs";
  }
}

}  // namespace
}  // namespace suture
