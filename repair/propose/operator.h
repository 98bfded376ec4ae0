#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/propose/arguments.h"
#include "repair/propose/context.h"
#include "repair/syntax/edit.h"

namespace suture {

/// Edits by file of the tree.
using TreeEdits = std::map<std::string, std::vector<Edit>>;

/// A way to change code. The operators are few and composable; a rewrite is a list of their uses at
/// several anchors. An anchor is `match`, `$NAME`, or one of anchor_names().
struct Operator {
  std::string_view name;
  std::string_view help;
  Signature signature;  ///< the operator's own name is its first argument: the anchor or code
  /// Adds edits; false when the operator cannot act here (no such anchor, nothing to do).
  bool (*apply)(const Match&, const Arguments&, TreeEdits&);
};

const std::vector<Operator>& operators();
const Operator* find_operator(std::string_view name);

/// The node that an anchor names for a match; null when there is none.
Node anchor(const Match& match, std::string_view name);
/// The anchors besides `match` and captured names, each with one line of help.
const std::vector<std::pair<std::string_view, std::string_view>>& anchor_names();

}  // namespace suture
