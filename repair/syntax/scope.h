#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/syntax/node.h"
#include "repair/syntax/source_file.h"

namespace suture {

/// A name that can be used at a place.
struct ScopeName {
  std::string text;  ///< "x"
  enum class Origin {
    kParameter,
    kLocal,
    kLoop,
    kEnclosing,
    kModule,
    kImport,
    kBuiltin
  } origin = Origin::kLocal;
  int line = 0;              ///< of the nearest binding before the place (or the first one after)
  bool bound_before = true;  ///< some binding stands before the place in the text
  int uses = 0;              ///< times it occurs in the enclosing function (module: file)
};

/// Names usable at a node (Python): parameters and locals of the enclosing functions, module-level
/// names, imports; builtins left out. Nearest scope first, in a scope in order of appearance; a
/// name once.
std::vector<ScopeName> names_in_scope(Node at);
/// Whether such a name, before or after the node in the text, is one of them.
bool is_in_scope(Node at, std::string_view name);

/// Attribute expressions on `self`/`cls` read or written anywhere in the enclosing class: "self.x".
/// Kept by the file, as long as it lives.
const std::vector<std::string>& self_attributes(Node at);

/// How an expression's text is known to be sound at a node, by conditions of its function that
/// dominate it: an enclosing `if`/`elif`/`while`/ternary/`and`/`or`/comprehension/`case ... if`, an
/// `assert` or `if not x: return/raise/continue/break` before it in an enclosing block, or
/// `if x is None: x = ...` there. In the other branch of a condition what its failing says holds. A
/// condition before the last assignment to the expression (or to what it is an attribute or item
/// of) does not count. Compared as text without white space. In the order of the enumerators.
///
/// kNone: is not None. kTruth: is true (so not None either). kHasattr: of x.a hasattr(x, "a") or
/// getattr(x, "a"...); of x itself any hasattr(x, ...). kMembership: of d[k] `k in d`; of k itself
/// any `k in ...`.
enum class GuardKind { kNone, kTruth, kHasattr, kIsinstance, kMembership };
std::vector<GuardKind> guards_on(Node at, std::string_view expression);

/// Something that a statement assigns to.
struct AssignedTarget {
  std::uint32_t start = 0;  ///< byte
  std::string text;         ///< without white space
};

/// Answers guards_on for many expressions at one place.
class GuardFinder {
 public:
  /// `at` may be null: then there are no guards.
  explicit GuardFinder(Node at);
  std::vector<GuardKind> on(std::string_view expression) const;

 private:
  Node at_;
  std::vector<AssignedTarget> assigned_;  ///< in the function around it, by place
};

/// Names that a Python file uses where no scope around the use binds them: candidates for missing
/// imports. In order of appearance, each once. The order of statements is not looked at; nothing at
/// all when the file has an `import *`, which could bind anything.
std::vector<std::string> unresolved_names(const SourceFile& file);
/// The same, every use of such a name.
std::vector<Node> unresolved_uses(const SourceFile& file);

}  // namespace suture
