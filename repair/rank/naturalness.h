#pragma once

#include <vector>

#include "repair/propose/candidate.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// Notes as the feature `natural` how usual the code of each candidate is where it stands, compared
/// with the code that it replaces: the logarithm of the chance of the edited lines after the edit
/// less that before it, in words never seen (-1: as surprising as one such word more), within -20
/// and 20. Buggy lines are less usual than their fixes (Ray et al., "On the naturalness of buggy
/// code", ICSE 2016). What is usual is learnt from the files that the candidates edit, half of it
/// from the file itself, which repeats itself more than others repeat it (Tu et al., "On the
/// localness of software", FSE 2014); the edited lines are left out.
void note_naturalness(std::vector<Candidate>& candidates, SourceTree& tree);

}  // namespace suture
