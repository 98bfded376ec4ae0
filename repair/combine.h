#pragma once

#include <optional>

#include "repair/propose/candidate.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// The candidate that makes two edits, one after the other. `first` is one of `base` and has been
/// materialised; `second` is one of `edited`, the tree that `first` makes of it. Its features are
/// those of the second, with the lower prior of both. Nothing when the second does not apply.
std::optional<Candidate> combine(const Candidate& first, Candidate second, SourceTree& base,
                                 SourceTree& edited);

}  // namespace suture
