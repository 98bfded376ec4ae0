#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "repair/job.h"
#include "repair/propose/candidate.h"
#include "repair/reproduce/evidence.h"

namespace suture {

/// A candidate that leaves the check red, but otherwise than before: half of a fix, perhaps.
struct Progress {
  std::size_t candidate = 0;  ///< index
  int further = 0;  ///< lines of its own file that the check gets further; 0: another error at the
                    ///< same line
  ExceptionRecord failure;  ///< how the check fails with it
};

/// The candidates of `trials` that made progress, the most telling first: the check comes to a
/// later line of its own file (the later, the better), or fails at the same line with another error
/// in another function of the tree, away from the edit. Of those after which it fails in the same
/// way the first one tried; none that only silences; at most `most`. Where the base run has no
/// evidence there is no progress. `candidates`: those that were tried.
std::vector<Progress> progress_made(const Evidence& base, const std::vector<Candidate>& candidates,
                                    std::span<const Trial> trials, std::size_t most);

}  // namespace suture
