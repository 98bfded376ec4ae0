#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/candidate.h"
#include "repair/rank/logistic.h"
#include "repair/standing.h"

namespace suture {

/// How confidence is made, as data (patterns/confidence.yaml), and how well that did on patches
/// that were read.
struct ConfidenceModel {
  LogisticModel model;
  /// Confidences of patches of projects that the model was not fitted to, by what reading said.
  struct HeldOut {
    std::vector<double> right, partly, wrong;
  } held_out;

  /// Errors: kBadInput with file, line and column; kNotFound.
  static Result<ConfidenceModel> load(const std::string& path);
};

/// A file that load() reads; numbers with two digits after the point.
std::string to_yaml(const ConfidenceModel& model);

/// The named evidence that the model weighs; see evidence_meanings().
Features evidence_of(const Candidate& candidate, const Standing& standing);

struct EvidenceMeaning {
  std::string_view name, meaning;
};
/// What each name stands for, in the order of names.
const std::vector<EvidenceMeaning>& evidence_meanings();

/// The chance that a plausible candidate is right, not only green: behaves as the maintainers' own
/// change would.
struct Confidence {
  double value = 0;                  ///< 0.02 to 0.95
  std::vector<std::string> reasons;  ///< for people, the most telling first
};

/// Weighs the evidence. A candidate that may only silence the check is never trusted.
Confidence judge_confidence(const Candidate& candidate, const Standing& standing,
                            const LogisticModel& model);

/// Whether a candidate that passes puts another one that passes in doubt: its pattern is not one
/// that is seldom right, and it is not silencing.
bool is_serious(const Candidate& candidate);

}  // namespace suture
