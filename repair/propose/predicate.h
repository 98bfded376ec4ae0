#pragma once

#include <string_view>
#include <vector>

#include "repair/propose/arguments.h"
#include "repair/propose/context.h"

namespace suture {

/// The answer of a predicate. Unknown neither lifts nor excludes; true lifts a candidate where the
/// predicate rests on evidence, false excludes it.
enum class Truth { kFalse, kUnknown, kTrue };

/// The answer of a predicate that always knows.
inline Truth truth(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

/// A condition on a match that pattern files use under `where:`.
struct Predicate {
  std::string_view name;
  std::string_view help;  ///< one line for the reference page
  Signature signature;
  double lift;  ///< added to the feature "fit" when true (0 for merely structural ones)
  Truth (*holds)(const Match&, const Arguments&);
};

/// All predicates, sorted by name.
const std::vector<Predicate>& predicates();
const Predicate* find_predicate(std::string_view name);

}  // namespace suture
