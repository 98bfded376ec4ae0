#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repair/propose/candidate.h"
#include "repair/syntax/source_tree.h"

// Where a candidate edits, and how its edits look at another place of the same shape; for twins.

namespace suture {

/// A statement, a clause (`elif`, `except`), or the header alone of one that has a body.
struct Unit {
  Node node;
  Range range;  ///< of what counts: the header, or all of it
  bool header = false;
};

/// The one place of one file that a candidate changes.
struct EditSite {
  const SourceFile* file = nullptr;
  std::vector<Edit> edits;    ///< of the place
  std::vector<Edit> carried;  ///< of imports: made once, wherever else the others are made
  Unit unit;                  ///< holds all edits of the place
  Node narrow;  ///< the smallest expression that holds them; null where whole lines are added
};

/// Nothing where the candidate edits several files or several statements.
std::optional<EditSite> site_of(const Candidate& candidate, SourceTree& tree);

/// The unit of that node's kind and extent: the header where `like` is a header.
Unit unit_like(const Unit& like, Node node);

/// The leaves of code within a range, comments left out; strings without holes are one leaf.
std::vector<Node> tokens_in(Node node, Range range);

/// Names of one place by those of another.
using Renaming = std::map<std::string, std::string, std::less<>>;

/// The site's edits at another place, token by token. Nothing where they have no place there.
std::optional<std::vector<Edit>> carried_over(const EditSite& site, const std::vector<Node>& from,
                                              const std::vector<Node>& to,
                                              const Renaming& renaming);

}  // namespace suture
