#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/candidate.h"
#include "repair/propose/catalogue.h"
#include "repair/propose/context.h"

namespace suture {

struct ProposeLimits {
  std::size_t candidates = 1500;  ///< in all
  std::size_t per_match = 24;     ///< combinations of ingredients tried at one match of one rewrite
  std::size_t files = 40;         ///< most suspicious files that are walked
};

/// Candidates of all patterns at all suspicious places: one walk of each file serves all patterns,
/// then matches are expanded into candidates, the most promising first, until there are enough.
/// Candidates with the same normalised diff are kept once, the better one. The order is a function
/// of the input. Nothing is applied yet (see materialise).
std::vector<Candidate> propose(const ProposeInput& input, const Catalogue& catalogue,
                               const ProposeLimits& limits = {});

/// Edited files as they are parsed, by path.
using ParsedFiles = std::map<std::string, std::unique_ptr<SourceFile>>;

/// Fills `files` from the edits. Errors: kBadInput when an edit breaks the syntax, kInternal when
/// edits overlap: such a candidate is rejected without a run.
Result<ParsedFiles> materialise(Candidate& candidate, SourceTree& tree);

}  // namespace suture
