#pragma once

#include "repair/check_runs.h"
#include "repair/job.h"
#include "repair/pipeline.h"
#include "repair/reproduce/reproduce.h"
#include "repair/syntax/source_tree.h"
#include "repair/validate/screen.h"

namespace suture {

/// What a search for a patch needs. References; all must outlive the call.
struct SearchInput {
  const RepairRequest& request;
  Services& services;
  CheckRuns& runs;
  const Reproduced& base;  ///< the failure, as it was reproduced
  WarmScreen* screen;      ///< null when every run is to be fresh
  SourceTree& tree;
};

/// Looks for a patch: locates, proposes, ranks, validates, for one edit first, then for its twins,
/// then for a second edit where one made progress. Writes what comes of it to `result`, whose check
/// and failure are set.
void search_patch(const SearchInput& input, RepairResult& result);

}  // namespace suture
