#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/base/event.h"
#include "repair/edited_code.h"
#include "repair/job.h"
#include "repair/syntax/source_tree.h"
#include "repair/validate/executor.h"

namespace suture {

/// What regression runs need. References; all must outlive the Regression.
struct RegressionInput {
  const Check& check;
  std::string interpreter;   ///< for pytest, where the check's command names no Python
  double check_seconds = 0;  ///< wall seconds of the check at the base revision
  SourceTree& tree;
  Executor& executor;
  EventSink& events;
};

/// The last rung of validation: a candidate that makes the check pass must leave the other tests of
/// the tree green that execute the edited code (see related_test_files). One for each job: what a
/// test file does at the base revision is found out once, by a traced run, when first asked for.
/// Counted are the tests that passed there; a file that is red with the candidate is run once more
/// without it, and one that is red then too is flaky and left out for good.
class Regression {
 public:
  explicit Regression(RegressionInput input);
  ~Regression();

  struct Found {
    /// kPassed: nothing that was rerun broke, also where there was nothing to rerun. kFailed. Or
    /// kCancelled.
    Verdict verdict = Verdict::kPassed;
    /// kFailed: "breaks NODE ID". kPassed: what was not rerun and why; empty when all that is
    /// related was.
    std::string reason;
    std::vector<Rerun> rerun;  ///< one a test file
    int runs = 0;              ///< check runs made, those at the base revision included
    int cached_runs = 0;       ///< saved, because earlier jobs made them
    double seconds = 0;        ///< wall seconds of `runs`
  };

  /// Reruns what the candidate may have broken. `candidate.files` is filled. `left`: what the job
  /// may still cost; when that is too little, the rest is not rerun and Found::reason says so.
  /// Thread-safe. Which of two calls pays for a run at the base revision depends on their order:
  /// call it in rank order where costs must not depend on chance.
  Found run(const Candidate& candidate, const Budget& left, const CancelToken& cancel);

 private:
  struct TestFile;
  class Round;
  TestFile& test_file(const std::string& path);

  RegressionInput input_;
  std::string python_;
  std::chrono::milliseconds timeout_;  ///< of one run of one test file
  std::mutex mutex_;                   ///< guards the map; each file has its own mutex
  std::map<std::string, std::unique_ptr<TestFile>> files_;
};

}  // namespace suture
