#include "repair/syntax/bindings.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "repair/syntax/imports.h"
#include "repair/syntax/source_file.h"
#include "repair/syntax/syntax_memo.h"

namespace suture {
namespace {

bool is_comprehension(Node node) {
  return node.is({"list_comprehension", "set_comprehension", "dictionary_comprehension",
                  "generator_expression"});
}

class Collector {
 public:
  explicit Collector(Node scope) : scope_(scope) {}

  std::vector<Binding> collect() {
    if (scope_.is({"function_definition", "lambda"})) parameters();
    Node body = scope_.is({"module"}) || is_comprehension(scope_) ? scope_ : scope_.field("body");
    walk(body, [this](Node node) { return visit(node); });
    std::erase_if(found_, [this](const Binding& binding) {
      return elsewhere_.count(binding.name.text()) > 0;
    });
    std::stable_sort(found_.begin(), found_.end(), [](const Binding& a, const Binding& b) {
      return a.name.range().start < b.name.range().start;
    });
    return std::move(found_);
  }

 private:
  using Kind = Binding::Kind;

  void bind(Kind kind, Node name, Node by) {
    if (name) found_.push_back({kind, name, by});
  }

  /// The names among the targets of an assignment, `for`, `with` or `except`.
  void bind_targets(Kind kind, Node target, Node by) {
    if (target.is({"identifier"})) return bind(kind, target, by);
    if (!target.is({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern",
                    "dictionary_splat_pattern", "tuple", "list", "parenthesized_expression",
                    "as_pattern_target", "expression_list"})) {
      return;  // x.y and x[y] bind nothing
    }
    for (Node part : target.named_children()) bind_targets(kind, part, by);
  }

  void parameters() {
    for (Node parameter : scope_.field("parameters").named_children()) {
      Node name = parameter.is({"default_parameter", "typed_default_parameter"})
                      ? parameter.field("name")
                  : parameter.is({"typed_parameter"}) ? parameter.named_child(0)
                                                      : parameter;
      bind_targets(Kind::kParameter, name, parameter);
    }
  }

  void bind_imports(Node statement) {
    for (const ImportedName& imported : imported_names(statement)) {
      Node name = imported.node;
      if (name.is({"aliased_import"})) name = name.field("alias");
      if (name.is({"dotted_name"})) name = name.named_child(0);
      bind(Kind::kImport, name, statement);
    }
  }

  /// `case x:` captures x, `case a.b:` compares with it.
  void bind_capture(Node pattern) {
    if (pattern.named_child_count() == 1 && pattern.text() != "_") {
      bind(Kind::kVariable, pattern.named_child(0), pattern);
    }
  }

  /// Whether to look into the node.
  bool visit(Node node) {
    if (!node.named()) return false;
    std::string_view kind = node.kind();
    if (kind == "identifier") return false;
    if (kind == "function_definition" || kind == "class_definition") {
      if (node == scope_) return true;
      bind(kind == "class_definition" ? Kind::kClass : Kind::kFunction, node.field("name"), node);
      return false;
    }
    if (kind == "lambda") return node == scope_;
    if (kind == "assignment" || kind == "augmented_assignment") {
      bind_targets(Kind::kVariable, node.field("left"), node);
    } else if (kind == "for_statement" || (kind == "for_in_clause" && node.parent() == scope_)) {
      bind_targets(Kind::kLoop, node.field("left"), node);
    } else if (kind == "named_expression") {
      // Also out of a comprehension, whose own names stay in it.
      if (!is_comprehension(scope_)) bind(Kind::kVariable, node.field("name"), node);
    } else if (kind == "as_pattern_target") {
      bind_targets(Kind::kVariable, node, node.parent());
    } else if (kind == "as_pattern" && !node.field("alias")) {  // in a `case`
      bind_targets(Kind::kVariable, node.named_child(node.named_child_count() - 1), node);
    } else if (kind == "splat_pattern") {
      bind_targets(Kind::kVariable, node.named_child(0), node);
    } else if (kind == "dotted_name" && node.parent().is({"case_pattern", "keyword_pattern"})) {
      bind_capture(node);
    } else if (kind == "type_alias_statement") {
      Node name = node.field("left");
      while (name && !name.is({"identifier"})) name = name.named_child(0);
      bind(Kind::kVariable, name, node);
    } else if (kind == "global_statement" || kind == "nonlocal_statement") {
      for (Node name : node.named_children()) elsewhere_.insert(name.text());
    } else if (is_import(node)) {
      bind_imports(node);
      return false;
    }
    return true;
  }

  Node scope_;
  std::vector<Binding> found_;
  std::set<std::string_view> elsewhere_;  ///< declared global or nonlocal
};

}  // namespace

bool is_scope(Node node) {
  return is_comprehension(node) ||
         node.is({"module", "class_definition", "function_definition", "lambda"});
}

const std::vector<Binding>& bindings_of(Node scope) {
  static const std::vector<Binding> none;
  if (!scope) return none;
  return scope.file()->memo().bindings.of(scope, [&] { return Collector(scope).collect(); });
}

}  // namespace suture
