#include "repair/regression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/support/shell.h"

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Words = std::vector<std::string>;

/// What pytest finds in a file of tests.
struct StandInFile {
  Words passing, failing;  ///< names of tests, before the change
  std::vector<int> lines;  ///< of shop.py that it executes
  std::string output;      ///< of the run at the base revision
};

/// Answers as pytest with the probe would, without a process.
class StandInPytest final : public Executor {
 public:
  Status ready() override { return {}; }
  CheckRun run(const RunRequest& request, const CancelToken& cancel) override {
    std::lock_guard lock(mutex_);
    Words what(request.check->command.begin() + 6, request.check->command.end());
    runs.push_back(what);
    timeouts.push_back(request.check->timeout);
    command = request.check->command;
    CheckRun result;
    result.use.wall_seconds = seconds;
    result.verdict = Verdict::kPassed;
    if (cancel.cancelled()) {
      result.verdict = Verdict::kCancelled;
    } else if (auto out = request.env.find("SUTURE_PROBE_OUT"); out != request.env.end()) {
      trace(files[what.at(0)], what.at(0), out->second, result);
    } else {
      for (const std::string& id : what) {
        if (!broken(id, request.files)) continue;
        result.verdict = Verdict::kFailed;
        result.output += "FAILED " + id + " - AssertionError\n";
      }
    }
    return result;
  }

  std::map<std::string, StandInFile> files;
  /// Which tests fail with which files of a candidate (none: the base revision).
  std::function<bool(const std::string&, const FileContents&)> broken =
      [](const std::string&, const FileContents&) { return false; };
  double seconds = 1;
  std::vector<Words> runs;
  std::vector<std::chrono::milliseconds> timeouts;
  Words command;

 private:
  static void trace(const StandInFile& file, const std::string& path, const std::string& out,
                    CheckRun& result) {
    nlohmann::json tests = nlohmann::json::array();
    for (const std::string& name : file.passing)
      tests.push_back({{"id", path + "::" + name}, {"outcome", "passed"}});
    for (const std::string& name : file.failing)
      tests.push_back({{"id", path + "::" + name}, {"outcome", "failed"}});
    nlohmann::json evidence = {{"format", 1},
                               {"python", "3.11.2"},
                               {"tests", tests},
                               {"executed", {{"shop.py", file.lines}}}};
    testing::write(out, evidence.dump());
    result.output = file.output;
    if (!file.failing.empty() || file.passing.empty()) result.verdict = Verdict::kFailed;
  }

  std::mutex mutex_;
};

class RegressionTest : public ::testing::Test {
 protected:
  RegressionTest()
      : check_(parse_check("A=1 python3 -m pytest tests/test_label.py::test_none").value()) {
    files_ = {{"shop.py", "def label(item):\n    return item.name\n\n\ndef other():\n    pass\n"},
              {"tests/test_label.py", "from shop import label\n"},
              {"tests/test_shop.py", "import shop\n"}};
    pytest_.files["tests/test_label.py"] = {{"test_a", "test_b[x::y]"}, {"test_none"}, {1, 2, 5}};
    pytest_.files["tests/test_shop.py"] = {{"test_c"}, {}, {1, 2, 5}};
  }

  Candidate candidate(const std::string& was = "item.name", const std::string& becomes = "'x'") {
    Candidate candidate;
    candidate.id = becomes;
    std::string text = files_.at("shop.py");
    auto at = std::uint32_t(text.find(was));
    candidate.edits["shop.py"] = {{{at, at + std::uint32_t(was.size())}, becomes}};
    candidate.files["shop.py"] = apply_edits(text, candidate.edits["shop.py"]).value();
    return candidate;
  }

  Regression& regression() {
    if (!regression_) {
      tree_ = SourceTree::in_memory(files_);
      regression_.emplace(
          RegressionInput{check_, "/opt/python3", base_seconds_, *tree_, pytest_, events_});
    }
    return *regression_;
  }

  Regression::Found run(const Candidate& candidate, Budget left = {std::nullopt, std::nullopt}) {
    return regression().run(candidate, left, cancel_);
  }

  void breaks(std::string test) {
    pytest_.broken = [test](const std::string& id, const FileContents& files) {
      return id == test && !files.empty();
    };
  }

  Check check_;
  double base_seconds_ = 2;
  std::map<std::string, std::string> files_;
  StandInPytest pytest_;
  NullSink events_;
  CancelToken cancel_;
  std::unique_ptr<SourceTree> tree_;
  std::optional<Regression> regression_;
};

TEST_F(RegressionTest, RerunsWhatPassedBefore) {
  Regression::Found found = run(candidate());
  EXPECT_EQ(found.verdict, Verdict::kPassed);
  EXPECT_EQ(found.reason, "");
  EXPECT_THAT(pytest_.runs,
              ElementsAre(Words{"tests/test_label.py"},
                          Words{"tests/test_label.py::test_a", "tests/test_label.py::test_b[x::y]"},
                          Words{"tests/test_shop.py"}, Words{"tests/test_shop.py::test_c"}));
  EXPECT_EQ(found.runs, 4);
  EXPECT_DOUBLE_EQ(found.seconds, 4);
  ASSERT_EQ(found.rerun.size(), 2u);
  EXPECT_EQ(found.rerun[0].what,
            "A=1 python3 -m pytest -q -p no:cacheprovider tests/test_label.py (2 tests that passed "
            "before)");
  EXPECT_EQ(found.rerun[0].verdict, Verdict::kPassed);
  EXPECT_THAT(pytest_.timeouts, ::testing::Each(std::chrono::seconds(30)));
}

TEST_F(RegressionTest, LooksAtTheBaseRevisionOnce) {
  run(candidate("item.name", "'first'"));
  pytest_.runs.clear();
  EXPECT_EQ(run(candidate("item.name", "'second'")).runs, 2);
  EXPECT_THAT(pytest_.runs,
              ElementsAre(Words{"tests/test_label.py::test_a", "tests/test_label.py::test_b[x::y]"},
                          Words{"tests/test_shop.py::test_c"}));
}

TEST_F(RegressionTest, ABrokenTestIsNamed) {
  breaks("tests/test_label.py::test_b[x::y]");
  Regression::Found found = run(candidate());
  EXPECT_EQ(found.verdict, Verdict::kFailed);
  EXPECT_EQ(found.reason, "breaks tests/test_label.py::test_b[x::y]");
  EXPECT_EQ(found.runs, 3) << "base, candidate, base again; the other file is not run any more";
  ASSERT_EQ(found.rerun.size(), 1u);
  EXPECT_EQ(found.rerun[0].verdict, Verdict::kFailed);
}

TEST_F(RegressionTest, AFlakyFileIsLeftOutForGood) {
  pytest_.broken = [](const std::string& id, const FileContents&) {
    return id == "tests/test_label.py::test_a";
  };
  Regression::Found found = run(candidate("item.name", "'first'"));
  EXPECT_EQ(found.verdict, Verdict::kPassed);
  EXPECT_EQ(found.rerun.size(), 1u);
  EXPECT_EQ(found.runs, 5);
  EXPECT_EQ(found.reason,
            "further tests were not rerun: tests/test_label.py fails now and then without the "
            "change");
  EXPECT_EQ(run(candidate("item.name", "'second'")).runs, 1) << "only the other file";
}

TEST_F(RegressionTest, WhatDoesNotReachTheEditIsNotRerun) {
  for (auto& [path, file] : pytest_.files) file.lines = {1, 5};
  Regression::Found found = run(candidate());
  EXPECT_EQ(found.verdict, Verdict::kPassed);
  EXPECT_THAT(found.rerun, IsEmpty());
  EXPECT_EQ(found.runs, 2);
  EXPECT_EQ(found.reason, "no other test of the tree reaches the edited lines");
}

TEST_F(RegressionTest, SaysWhyAFileIsOfNoUse) {
  pytest_.files["tests/test_label.py"] = {
      {}, {}, {}, "E   ModuleNotFoundError: No module named 'gone'\n"};
  pytest_.files["tests/test_shop.py"] = {{}, {"test_c"}, {2}};
  Regression::Found found = run(candidate());
  EXPECT_EQ(found.verdict, Verdict::kPassed);
  EXPECT_THAT(found.rerun, IsEmpty());
  EXPECT_THAT(found.reason, HasSubstr("no other test was rerun: tests/test_label.py could not be "
                                      "collected: ModuleNotFoundError: No module named 'gone'"));
  EXPECT_THAT(found.reason,
              HasSubstr("tests/test_shop.py has no test that passes without the change"));
}

TEST_F(RegressionTest, TheChecksOwnTestIsNoOtherTest) {
  pytest_.files["tests/test_label.py"] = {{}, {"test_none"}, {1, 2, 5}};
  Regression::Found found = run(candidate());
  EXPECT_EQ(found.rerun.size(), 1u);
  EXPECT_EQ(found.reason, "");
}

TEST_F(RegressionTest, ATreeWithoutTestsCostsNothing) {
  files_ = {{"shop.py", files_["shop.py"]}};
  check_ = parse_check("sh check.sh").value();
  Regression::Found found = run(candidate());
  EXPECT_EQ(found.verdict, Verdict::kPassed);
  EXPECT_EQ(found.runs, 0);
  EXPECT_EQ(found.reason, "no other test of the tree reaches the edited lines");
}

TEST_F(RegressionTest, TakesTheRequestsInterpreterWhereTheCheckNamesNone) {
  check_ = parse_check("sh check.sh").value();
  run(candidate());
  EXPECT_EQ(pytest_.command.at(0), "/opt/python3");
}

TEST_F(RegressionTest, StopsWhereTheBudgetEnds) {
  // Two runs of a file that is not known yet, and one more that a red one would need.
  for (auto [runs, made] : {std::pair{2, 0}, {3, 2}, {4, 2}, {5, 4}}) {
    regression_.reset();
    Regression::Found found = run(candidate(), {std::nullopt, runs});
    EXPECT_EQ(found.verdict, Verdict::kPassed);
    EXPECT_EQ(found.runs, made) << runs;
    EXPECT_EQ(found.rerun.size(), std::size_t(made / 2));
    const char* reasons[] = {"no other test was rerun: the budget was used up",
                             "further tests were not rerun: the budget was used up", ""};
    EXPECT_EQ(found.reason, reasons[made / 2]);
  }
}

TEST_F(RegressionTest, StopsWhereTheTimeEnds) {
  pytest_.seconds = 6;
  Regression::Found found = run(candidate(), {std::chrono::seconds(20), std::nullopt});
  EXPECT_EQ(found.runs, 4);
  EXPECT_THAT(pytest_.timeouts, ElementsAre(std::chrono::seconds(20), std::chrono::seconds(14),
                                            std::chrono::seconds(8), std::chrono::seconds(2)));
  regression_.reset();
  found = run(candidate(), {std::chrono::seconds(12), std::nullopt});
  EXPECT_EQ(found.runs, 2);
  EXPECT_EQ(found.reason, "further tests were not rerun: the budget was used up");
}

TEST_F(RegressionTest, ASlowCheckHasSlowTests) {
  base_seconds_ = 20;
  run(candidate());
  EXPECT_THAT(pytest_.timeouts, ::testing::Each(std::chrono::seconds(100)));
}

TEST_F(RegressionTest, ManyTestsAreCut) {
  StandInFile& file = pytest_.files["tests/test_label.py"];
  for (int i = 0; i < 300; ++i) file.passing.push_back("test_" + std::to_string(i));
  run(candidate());
  EXPECT_EQ(pytest_.runs.at(1).size(), 200u);
  EXPECT_EQ(pytest_.runs.at(1).front(), "tests/test_label.py::test_a");
}

TEST_F(RegressionTest, Cancelled) {
  cancel_.cancel();
  EXPECT_EQ(run(candidate()).verdict, Verdict::kCancelled);
  EXPECT_EQ(pytest_.runs.size(), 1u);
}

TEST_F(RegressionTest, FromSeveralThreadsAtOnce) {
  breaks("tests/test_shop.py::test_c");
  regression();
  std::vector<std::thread> threads;
  std::atomic<int> runs = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      Regression::Found found = run(candidate("item.name", std::to_string(i)));
      EXPECT_EQ(found.reason, "breaks tests/test_shop.py::test_c");
      runs += found.runs;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::size_t(runs), pytest_.runs.size());
  EXPECT_EQ(pytest_.runs.size(), 2u + 8 * 3) << "each file once at the base revision";
}

}  // namespace
}  // namespace suture
