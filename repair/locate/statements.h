#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/syntax/node.h"
#include "repair/syntax/source_file.h"

namespace suture {

enum class StatementKind {
  kCondition,
  kReturn,
  kAssignment,
  kCall,
  kRaise,
  kLoop,
  kWith,
  kDef,
  kClass,
  kImport,
  kHandler,
  kLog,
  kDocstring,
  kElse,
  kOther,
};

/// A statement of a file; of a compound one the header only (its body's statements are entries of
/// their own). Clauses (`elif`, `else`, `except`, `case` ...) are entries too, children of their
/// statement.
struct Statement {
  Node node;
  StatementKind kind = StatementKind::kOther;
  int line = 0, end_line = 0;  ///< of the header
  int body_end_line = 0;       ///< of the whole statement
  std::string_view text;       ///< of the header
  int parent = -1;             ///< index of the compound statement whose body it is in
  int function = -1;           ///< index of the `def` it belongs to (a `def` to itself)
  int enclosing = -1;          ///< index of the `def` around it, never itself
  int cls = -1;                ///< index of the innermost class around it (a class: itself)
  bool is_else() const { return kind == StatementKind::kElse; }  ///< `else:` or `finally:`
  bool is_def() const { return kind == StatementKind::kDef; }
};

/// All statements of a file in document order.
class StatementIndex {
 public:
  explicit StatementIndex(const SourceFile& file);

  const SourceFile& file() const { return file_; }
  const std::vector<Statement>& all() const { return statements_; }
  const Statement& operator[](int index) const { return statements_[std::size_t(index)]; }
  /// Index of the innermost statement whose header covers the line; -1 when there is none.
  int at(int line) const;
  /// Index of the `def` whose code starts at the line (its first decorator's or its own); -1 when
  /// there is none.
  int function_starting_at(int line) const;
  /// Index of the innermost function around a line, its header included; -1 at module level.
  int function_around(int line) const;
  /// Index of the `def` or `class` with the qualified name ("C.f"); -1 when there is none.
  int definition(std::string_view qualname) const;
  /// Statements of a function without those of functions nested in it (their headers are kept);
  /// -1: those at module level and in class bodies.
  std::vector<int> of_function(int function) const;
  /// "Outer.method" of a statement's function, or of the class around it, or "".
  std::string qualname(int index) const;

 private:
  struct Place {
    int parent = -1, function = -1, cls = -1;
  };
  void visit(Node container, Place place);
  void add_statement(Node node, Place place);
  void visit_parts(Node node, Place place);

  const SourceFile& file_;
  std::vector<Statement> statements_;
  std::map<int, int> by_line_;  ///< line -> innermost statement
};

/// The function or class below its decorators; the node itself when it has none.
Node undecorated(Node node);
/// The names a Python statement binds or changes: targets of assignments, loops, `with`, imports,
/// definitions; "self.x" for attributes, "d" for `d[k] = v`.
std::vector<std::string> bound_names(const Statement& statement);
bool binds(const Statement& statement, std::string_view name);
/// The right side of an assignment; null for other statements.
Node assigned_value(const Statement& statement);
/// All call nodes in the header of a statement.
std::vector<Node> calls_in(const Statement& statement);

}  // namespace suture
