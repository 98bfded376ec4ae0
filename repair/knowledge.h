#pragma once

#include "repair/base/result.h"
#include "repair/confidence.h"
#include "repair/job.h"
#include "repair/propose/catalogue.h"
#include "repair/rank/rank.h"

namespace suture {

/// The parts of a repair that come from data files.
struct Knowledge {
  Catalogue patterns;
  RankingWeights weights;
  ConfidenceModel confidence;
};

/// Loads the built-in catalogue with its ranking weights and confidence, adds the selection's
/// folders and keeps the patterns that it selects. Errors: as Catalogue::load, Catalogue::select
/// and RankingWeights::load and ConfidenceModel::load.
Result<Knowledge> load_knowledge(const PatternSelection& selection);

}  // namespace suture
