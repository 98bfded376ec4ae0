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
using testing::BrokenTree;
using ::testing::HasSubstr;

/// A defect at two places: each edit alone leaves the check red.
class TwoEditsTest : public ::testing::Test {
 protected:
  TwoEditsTest() {
    tree_.write("pkg/ports.py",
                "def open_port(number, baud_rate=9600):\n"
                "    return (number, baud_rate)\n\n\n"
                "def first(number, baud_rate):\n"
                "    return open_port(number, baud=baud_rate)\n\n\n"
                "def second(number, baud_rate):\n"
                "    return open_port(number, baud=baud_rate)\n");
    tree_.write("tests/test_ports.py",
                "from pkg import ports\n\n\n"
                "def test_ports():\n"
                "    assert ports.first(1, 2) == (1, 2)\n"
                "    assert ports.second(3, 4) == (3, 4)\n");
    auto made = testing::shell(tree_.tree(),
                               "git init -q && git add -A && git -c user.name=t -c user.email=t "
                               "commit -qm base");
    EXPECT_EQ(made.status, 0) << made.output;
  }

  json repair(std::vector<std::string> more, testing::BinaryOptions options = {}) {
    // One edit could repair this, too: to accept the name that the callers use.
    std::vector<std::string> arguments{"--check",      "python -m pytest -q tests/test_ports.py",
                                       "--format",     "json",
                                       "--confidence", "0.05",
                                       "--exclude",    "param-alias"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    BinaryRun run = tree_.repair_without_check(arguments, options);
    EXPECT_EQ(run.status, kExitPatched) << run.out << run.err;
    return json::parse(run.out, nullptr, false);
  }

  BrokenTree tree_;
};

TEST_F(TwoEditsTest, GoesOnFromTheEditThatGetsTheCheckFurther) {
  json result = repair({"--budget", "200 runs"});
  json proposal = result["proposals"][0];
  std::string diff = proposal["diff"];
  EXPECT_THAT(diff, HasSubstr("def first(number, baud_rate):\n"
                              "-    return open_port(number, baud=baud_rate)\n"
                              "+    return open_port(number, baud_rate=baud_rate)\n"));
  EXPECT_THAT(diff, HasSubstr("def second(number, baud_rate):\n"
                              "-    return open_port(number, baud=baud_rate)\n"
                              "+    return open_port(number, baud_rate=baud_rate)\n"));
  EXPECT_EQ(result["trials"][0]["failure"]["type"], "AssertionError");
}

TEST_F(TwoEditsTest, TheSameJobAgainRunsNoCheck) {
  testing::BinaryOptions cached;
  cached.env["XDG_CACHE_HOME"] = (tree_.beside() / "cache").string();
  json first = repair({"--budget", "200 runs"}, cached);
  json second = repair({"--budget", "200 runs"}, cached);
  EXPECT_GT(first["costs"]["check_runs"], 10);
  EXPECT_EQ(second["costs"]["check_runs"], 0);
  EXPECT_EQ(second["proposals"][0]["diff"], first["proposals"][0]["diff"]);
}

TEST_F(TwoEditsTest, SameJsonWithAnyNumberOfJobs) {
  json first;
  for (const char* jobs : {"1", "4"}) {
    json result = repair({"--budget", "200 runs", "--jobs", jobs});
    result["costs"] = {{"check_runs", result["costs"]["check_runs"]}};
    if (first.is_null()) first = result;
    EXPECT_EQ(result, first) << jobs << " jobs";
  }
}

}  // namespace
}  // namespace suture
