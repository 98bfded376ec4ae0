#pragma once

#include <cstddef>
#include <vector>

#include "repair/propose/candidate.h"
#include "repair/propose/findings.h"
#include "repair/syntax/source_tree.h"

// Twins are places where the same code stands as where a candidate edits: what is wrong here is
// often wrong there. Of the historical bugs' lines that a developer changed, a third had a twin in
// the same function that was changed as well, more than half one in the function of the same name
// of another class of the file, and one in ten one elsewhere in the file.

namespace suture {

/// How far twins are looked for. Each reach holds the ones before it.
enum class Reach {
  kNear,  ///< the function, and those of the same name in other classes of the file; none outside
  kFile,  ///< the file
};

/// Candidates that make the change of `single` at its twins as well, at most `most`, those with the
/// surer twins first: the same expression in the same role, a statement that is the same but for
/// consistently other names, a call of the same function that lacks the same argument, the same
/// expression in another role. Each has the feature `twins`. None where `single` edits more than
/// one place, or has no twin. Imports that it adds are added once.
std::vector<Candidate> widen(const Candidate& single, SourceTree& tree, Reach reach,
                             std::size_t most);

/// The candidate that changes the same import in all files of the tree, where `single` changes an
/// import that is not relative: of the same module, and of no other names. One at most.
std::vector<Candidate> widen_imports(const Candidate& single, SourceTree& tree);

/// The candidate that repairs what a static pattern finds in the whole file, where `single` is what
/// that pattern makes of one place; nothing when it is not, or finds no other place.
std::vector<Candidate> widen_by_findings(const Candidate& single, SourceTree& tree,
                                         const StaticPatterns& patterns);

/// The candidate of the same pattern that makes all edits of `single` and most others besides: a
/// rewrite of the pattern that goes further. Null when there is none.
const Candidate* widest_of(const Candidate& single, const std::vector<Candidate>& candidates);

/// Candidates that make the same change (what is taken away and what is put there) at several
/// places of one function, each made of those of the first `considered` that one pattern makes.
/// They stand for the first of them.
std::vector<Candidate> join_same_changes(const std::vector<Candidate>& ranked,
                                         std::size_t considered, SourceTree& tree);

/// Adds to ranked candidates what widens the best of them, bounded. They have to be ranked again.
void add_twins(std::vector<Candidate>& ranked, SourceTree& tree);

}  // namespace suture
