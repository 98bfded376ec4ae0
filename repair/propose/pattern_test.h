#pragma once

#include <string>
#include <vector>

#include "repair/propose/pattern.h"

namespace suture {

/// What a test of a pattern showed. In a scan a finding counts as a candidate.
enum class TestVerdict {
  kReported,   ///< `fixes`: the expected fix is among the candidates (and early enough); `finds`
  kValidated,  ///< `leaves`: no candidate
  kMissing,    ///< `fixes`: no candidate at all
  kWrong,      ///< `fixes`: candidates, but not the expected one (early enough)
  kNoisy,      ///< `leaves`: candidates
};

/// "reported", "validated", "missing", "wrong", "noisy".
std::string_view to_string(TestVerdict verdict);

struct TestOutcome {
  const PatternTest* test = nullptr;
  TestVerdict verdict = TestVerdict::kMissing;
  enum class How {
    kSearch,  ///< as if a check had failed
    kScan,    ///< by the code alone
  } how = How::kSearch;
  std::size_t candidates = 0;
  std::size_t position = 0;  ///< 1-based, of the expected fix
  std::string shown;  ///< for failures: what came instead (diff-like text of the first candidates)
  bool passed() const {
    return verdict == TestVerdict::kReported || verdict == TestVerdict::kValidated;
  }
};

/// Runs the tests that a pattern carries: all as a search, those that tell of no run also as a scan
/// when the pattern has a `scan`. Needs no interpreter and no sandbox: trees are in memory,
/// evidence and installed names come from the tests.
std::vector<TestOutcome> run_tests(const Pattern& pattern);

}  // namespace suture
