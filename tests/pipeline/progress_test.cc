#include "repair/progress.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace suture {
namespace {

class ProgressTest : public ::testing::Test {
 protected:
  void SetUp() override {
    base_.tree = "/tree";
    LiveException failure{"AttributeError", "builtins", "no attribute `a`", {}};
    failure.frames = {frame("/check.py", 5, "<module>"), frame("pkg/m.py", 10, "load")};
    failure.frames[0].in_check = true;
    failure.frames[1].in_tree = true;
    base_.exceptions = {failure};
  }

  static LiveFrame frame(std::string file, int line, std::string function) {
    LiveFrame frame;
    frame.file = std::move(file);
    frame.at.line = line;
    frame.function = std::move(function);
    return frame;
  }

  static Frame printed(std::string file, int line, std::string function) {
    Frame frame;
    frame.file = std::move(file);
    frame.line = line;
    frame.function = std::move(function);
    return frame;
  }

  /// Tries a candidate at pkg/m.py:10, with which the check fails so.
  void tried(ExceptionRecord failure, Silencing silencing = Silencing::kNo) {
    Candidate candidate;
    candidate.id = std::to_string(candidates_.size());
    candidate.location.file = "pkg/m.py";
    candidate.location.line = candidate.location.end_line = 10;
    candidate.silencing = silencing;
    Trial trial;
    trial.candidate = candidate.id;
    trial.verdict = Verdict::kFailed;
    trial.failure = std::move(failure);
    candidates_.push_back(candidate);
    trials_.push_back(trial);
  }

  std::vector<std::size_t> progress(std::size_t most = 10) {
    std::vector<std::size_t> found;
    for (const Progress& each : progress_made(base_, candidates_, trials_, most))
      found.push_back(each.candidate);
    return found;
  }

  using Found = std::vector<std::size_t>;
  Evidence base_;
  std::vector<Candidate> candidates_;
  std::vector<Trial> trials_;
};

TEST_F(ProgressTest, TheLaterTheBetter) {
  tried({"TypeError", "x", {printed("/check.py", 7, "<module>")}});
  tried({"AttributeError", "no attribute `a`", {printed("/check.py", 9, "<module>")}});
  tried({"AttributeError", "no attribute `a`", {printed("/check.py", 5, "<module>")}});
  EXPECT_EQ(progress(), (Found{1, 0}));
  EXPECT_EQ(progress(1), Found{1});
}

TEST_F(ProgressTest, AnEarlierFailureIsNone) {
  tried({"TypeError", "x", {printed("/check.py", 3, "<module>")}});
  tried({"TypeError", "x", {printed("/other.py", 30, "<module>")}});
  EXPECT_EQ(progress(), Found());
}

TEST_F(ProgressTest, AnotherErrorAwayFromTheEditIs) {
  auto at = [](const char* file, int line, const char* function) {
    return std::vector<Frame>{printed("/check.py", 5, "<module>"), printed(file, line, function)};
  };
  tried({"TypeError", "other", at("/tree/pkg/m.py", 12, "save")});     // right below the edit
  tried({"TypeError", "other", at("/tree/pkg/m.py", 90, "load")});     // where it was
  tried({"TypeError", "other", at("/tree/pkg/m.py", 90, "save")});     // this is one
  tried({"TypeError", "other", at("/tree/pkg/m.py", 91, "save")});     // in the same way
  tried({"TypeError", "no attribute `a`", at("/tree/n.py", 4, "f")});  // the same error
  EXPECT_EQ(progress(), Found{2});
}

TEST_F(ProgressTest, OnlyOfRedCandidatesThatDoNotSilence) {
  ExceptionRecord later{"TypeError", "x", {printed("/check.py", 7, "<module>")}};
  tried(later, Silencing::kSwallows);
  tried(later);
  trials_.back().verdict = Verdict::kPassed;
  tried(later);
  trials_.back().failure.reset();
  EXPECT_EQ(progress(), Found());
}

TEST_F(ProgressTest, AScriptOfTheTreeMayBeTheCheck) {
  tried({"TypeError", "x", {printed("/tree/run.py", 7, "<module>")}});
  base_.exceptions[0].frames[0] = frame("run.py", 5, "<module>");
  base_.exceptions[0].frames[0].in_tree = true;
  EXPECT_EQ(progress(), Found{0});
}

TEST_F(ProgressTest, NoneWithoutEvidenceOfTheCheck) {
  tried({"TypeError", "x", {printed("/check.py", 7, "<module>")}});
  base_.exceptions[0].frames.clear();
  EXPECT_EQ(progress(), Found());
  base_.exceptions.clear();
  EXPECT_EQ(progress(), Found());
}

}  // namespace
}  // namespace suture
