#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "client/cli/exit_code.h"
#include "tests/support/shell.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryRun;
using testing::BrokenTree;
using ::testing::HasSubstr;
using testing::state_of;

/// `suture repair --report FILE` refuses the file with a message and leaves the tree alone.
class BadReportTest : public ::testing::Test {
 protected:
  void expect_refusal(const std::string& report, const std::string& message,
                      testing::BinaryOptions options = {}) {
    std::string before = state_of(broken_.tree());
    BinaryRun run = broken_.repair({"--report", report}, std::move(options));
    EXPECT_EQ(run.status, kExitUsage) << run.err;
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(state_of(broken_.tree()), before);
    EXPECT_TRUE(std::filesystem::is_empty(broken_.tmp()));
  }
  std::string file(std::string_view content) {
    testing::write(broken_.beside() / "report", content);
    return (broken_.beside() / "report").string();
  }

  BrokenTree broken_;
};

TEST_F(BadReportTest, Missing) {
  expect_refusal("/nowhere/report.log", "no such file: /nowhere/report.log");
}
TEST_F(BadReportTest, Folder) {
  expect_refusal(broken_.beside().string(), "is a folder, not a file");
}
TEST_F(BadReportTest, Empty) { expect_refusal(file(""), "the report is empty"); }
TEST_F(BadReportTest, OnlyBlanks) { expect_refusal(file(" \n\t\r\n"), "the report is empty"); }
TEST_F(BadReportTest, Binary) {
  expect_refusal(file(std::string("\x7f"
                                  "ELF\0\0\1",
                                  7)),
                 "binary");
}

TEST_F(BadReportTest, AHundredMegabytes) {
  std::string report = file("");
  truncate(report.c_str(), 100 << 20);
  expect_refusal(report, "larger than 16 MB");
}

TEST_F(BadReportTest, EmptyStandardInput) {
  expect_refusal("-", "standard input: the report is empty");
}

TEST_F(BadReportTest, EndlessStandardInput) {
  testing::BinaryOptions options;
  options.input = std::string(100 << 20, 'x');
  expect_refusal("-", "standard input: larger than 16 MB", std::move(options));
}

TEST_F(BadReportTest, Unreadable) {
  std::string report = file("text");
  chmod(report.c_str(), 0);
  if (access(report.c_str(), R_OK) == 0) GTEST_SKIP() << "root reads everything";
  expect_refusal(report, report);
}

TEST(ReportWithoutACheck, IsNoCheck) {
  BrokenTree broken;
  std::string before = state_of(broken.tree());
  testing::BinaryOptions options;
  options.input = "Something is wrong with my model, help!\n";
  BinaryRun run = broken.repair_without_check({"--report", "-"}, std::move(options));
  EXPECT_EQ(run.status, kExitUnsupported) << run.err;
  EXPECT_THAT(run.out, HasSubstr("NO_CHECK"));
  EXPECT_THAT(run.out, HasSubstr("--check"));
  EXPECT_EQ(state_of(broken.tree()), before);
}

constexpr const char* kIssue =
    "It fails:\n\n```python\nfrom pkg.lookup import name_of\n\nassert name_of({}, 'missing') is "
    "None\n```\n\n"
    "AttributeError: 'NoneType' object has no attribute 'name'\n";

TEST(ReportWithAScript, IsNotRunUnasked) {
  BrokenTree broken;
  testing::BinaryOptions options;
  options.input = kIssue;
  BinaryRun run = broken.repair_without_check({"--report", "-"}, std::move(options));
  EXPECT_EQ(run.status, kExitUnsupported) << run.err;
  EXPECT_THAT(run.err, HasSubstr("--run-script"));
}

TEST(ReportWithAScript, BecomesTheCheckWhenTheUserAgrees) {
  BrokenTree broken;
  std::string before = state_of(broken.tree());
  testing::BinaryOptions options;
  options.input = kIssue;
  options.env["PYTHONPATH"] = "";
  BinaryRun run = broken.repair_without_check(
      {"--report", "-", "--run-script", "--env", "PYTHONPATH=" + broken.tree().string()},
      std::move(options));
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(state_of(broken.tree()), before);
  EXPECT_TRUE(std::filesystem::is_empty(broken.tmp()));
}

TEST(ReportWithAScript, SameJsonEveryTime) {
  BrokenTree broken;
  nlohmann::json first;
  for (int i = 0; i < 2; ++i) {
    testing::BinaryOptions options;
    options.input = kIssue;
    BinaryRun run = broken.repair_without_check(
        {"--report", "-", "--run-script", "--format", "json", "--budget", "20 runs", "--env",
         "PYTHONPATH=" + broken.tree().string()},
        std::move(options));
    ASSERT_EQ(run.status, 0) << run.out << run.err;
    nlohmann::json result = nlohmann::json::parse(run.out);
    result.erase("costs");
    if (first.is_null()) first = result;
    EXPECT_EQ(result, first);
  }
}

TEST(ReportThatNamesACheck, NeedsNoOther) {
  BrokenTree broken;
  broken.write("test_lookup.py",
               "from pkg.lookup import name_of\n\n\ndef test_missing():\n    assert name_of({}, "
               "'x') is None\n");
  testing::BinaryOptions options;
  options.input =
      "=========================== short test summary info ============================\n"
      "FAILED test_lookup.py::test_missing - AttributeError: 'NoneType' object has no attribute "
      "'name'\n"
      "============================== 1 failed in 0.12s ===============================\n";
  BinaryRun run = broken.repair_without_check({"--report", "-"}, std::move(options));
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("check named in the report: "));
}

}  // namespace
}  // namespace suture
