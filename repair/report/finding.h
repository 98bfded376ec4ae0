#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "repair/report/failure.h"

namespace suture::report {

/// How much a finding tells about the cause; smaller is more.
enum class Weight {
  kRoot,       ///< an exception or fatal signal with the places it went through
  kBare,       ///< an exception without frames
  kCaptured,   ///< printed by a test that fails by itself
  kDump,       ///< the stacks of a process that did not end in time
  kAftermath,  ///< see Hearsay
  kWrapper,    ///< see Hearsay
  kIgnored,    ///< printed by Python for an exception that it swallowed itself
};

/// A failure and where in the text it was found.
struct Finding {
  Failure failure;
  Weight weight = Weight::kRoot;
  std::size_t line = 0;   ///< 0-based line of the whole text where it starts
  std::string test_name;  ///< as a pytest section header names it; empty when unknown
};

/// The finding that exceptions chained to each other make, oldest first (at least one).
Finding finding_of_chain(std::vector<ExceptionRecord> chain, std::size_t line);

/// What a reader took from a run of lines: zero or more findings, and the first line after them.
struct Found {
  std::vector<Finding> findings;
  std::size_t end = 0;
};

}  // namespace suture::report
