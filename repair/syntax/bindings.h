#pragma once

#include <vector>

#include "repair/syntax/node.h"

namespace suture {

/// A place that gives a Python name a value in some scope.
struct Binding {
  enum class Kind { kParameter, kVariable, kLoop, kImport, kFunction, kClass };
  Kind kind = Kind::kVariable;
  Node name;  ///< the identifier (of `import a.b`: a; of `import *`: *)
  Node by;    ///< what binds it: definition, import, assignment, `for`, parameter ...
};

/// Whether names bound in a node are its own: module, class, function, lambda, comprehension.
bool is_scope(Node node);

/// The names that a scope binds itself, in document order; names bound in scopes inside it, and
/// those declared global or nonlocal, left out. Kept by the file, as long as it lives.
const std::vector<Binding>& bindings_of(Node scope);

}  // namespace suture
