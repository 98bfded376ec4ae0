#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "repair/propose/candidate.h"

namespace suture {

/// How sure suture is that a plausible candidate is right, not only green.
struct Confidence {
  double value = 0;                  ///< 0.02 to 0.95
  std::vector<std::string> reasons;  ///< for people, the most telling first
};

/// What was found out about a candidate by running it and others.
struct Standing {
  int rank = 1;            ///< 1-based: how many candidates were tried up to it
  std::size_t rivals = 0;  ///< serious candidates besides it that pass as well
  double share = 1;        ///< of the chance that ranking gives to it and them together
  enum class OtherTests {
    kNotRerun,
    kGreen,  ///< tests that execute the edited code passed before and pass now
  } other_tests = OtherTests::kNotRerun;
};

/// From how often the pattern is right, the message it asks for, the names it uses, silencing, and
/// the candidate's standing.
Confidence judge_confidence(const Candidate& candidate, const Standing& standing);

/// Whether a candidate that passes puts another one that passes in doubt: its pattern is not one
/// that is seldom right, and it is not silencing.
bool is_serious(const Candidate& candidate);

}  // namespace suture
