#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/locate/locate.h"
#include "repair/propose/binding.h"
#include "repair/report/failure.h"
#include "repair/reproduce/evidence.h"
#include "repair/reproduce/installed.h"
#include "repair/syntax/source_tree.h"

namespace suture {

class Facts;

/// What proposing works from. References outlive the call.
struct ProposeInput {
  const Failure& failure;
  const Evidence& evidence;
  SourceTree& tree;
  Installed& installed;
  const SuspicionMap& suspicion;
  std::string_view check_text;  ///< source of the check's own files, joined; may be empty
};

/// One match of a pattern: what predicates, providers and operators look at.
struct Match {
  const ProposeInput& input;
  const SourceFile& file;
  Node node;                 ///< the matched node
  const Location& location;  ///< the most suspicious location that covers it
  Bindings bindings;
  const Facts* facts = nullptr;  ///< about libraries; null when the pattern asks for none

  /// The binding's node, or null.
  Node node_of(std::string_view name) const;
  /// The binding's text, or "".
  std::string_view text_of(std::string_view name) const;
};

/// What a run showed of an expression at the match: from the frame of the failure that runs the
/// match's function, else from the last call of that function. Null when nothing is known.
const Value* observed(const Match& match, std::string_view expression);

/// The values of the frame or call that runs the match's function; null when there is none.
const Values* observed_scope(const Match& match);

/// How well a value of the run fits in the place of another: 1 for the same type, 0.7 for another
/// kind of number, 0.2 for another type, 0.6 when either is unknown or the wanted one is None.
double type_fit(const Match& match, std::string_view candidate, const Value* wanted);

}  // namespace suture
