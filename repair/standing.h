#pragma once

#include <cstddef>

namespace suture {

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

}  // namespace suture
