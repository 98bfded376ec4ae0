#pragma once

#include <string>
#include <vector>

#include "repair/propose/candidate.h"
#include "repair/reproduce/evidence.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// A place of the base revision that a candidate edits.
struct EditedPlace {
  std::string file;
  /// Lines of the body of the function that holds the edit; 0 for an edit outside functions.
  int first_line = 0, last_line = 0;
  std::vector<std::string> names;  ///< the function and what it lies in, outermost first

  bool in_function() const { return first_line > 0; }
};

/// The code that a candidate edits, by function. Where some edit is inside a function, those
/// outside (an import that the new code needs) are left out: every run that imports the file would
/// seem to reach them.
std::vector<EditedPlace> edited_places(const Candidate& candidate, SourceTree& tree);

/// Whether a traced run executed one of the places: the body of the function, or for an edit
/// outside functions anything of the file.
bool reaches(const Evidence& evidence, const std::vector<EditedPlace>& places);

}  // namespace suture
