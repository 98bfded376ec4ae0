#pragma once

#include <map>
#include <optional>
#include <string>

#include "repair/propose/candidate.h"
#include "repair/propose/operator.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// How a change would silence the check, judged from the lines that it removes and adds: a change
/// whose added lines do nothing but skip, return early or swallow (or that adds none) is silencing.
Silencing judge_silencing(const Candidate& candidate, SourceTree& tree);

/// SHA-256 over the changed lines with their white space normalised, their files and places;
/// nothing when the edits overlap or change nothing but white space.
std::optional<std::string> normalised_digest(const TreeEdits& edits, SourceTree& tree);

}  // namespace suture
