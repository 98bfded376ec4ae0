#include "repair/syntax/scope.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "repair/syntax/bindings.h"
#include "repair/syntax/builtins.h"
#include "repair/syntax/imports.h"
#include "repair/syntax/syntax_memo.h"

namespace suture {
namespace {

Node scope_of(Node node) {
  for (node = node.parent(); node && !is_scope(node);) node = node.parent();
  return node;
}

ScopeName::Origin origin_of(const Binding& binding, Node scope, Node innermost_function) {
  using Origin = ScopeName::Origin;
  if (binding.kind == Binding::Kind::kImport) return Origin::kImport;
  if (scope.is({"module"})) return Origin::kModule;
  bool outer = scope.is({"function_definition"}) && !(scope == innermost_function);
  if (outer) return Origin::kEnclosing;
  if (binding.kind == Binding::Kind::kParameter) return Origin::kParameter;
  return binding.kind == Binding::Kind::kLoop ? Origin::kLoop : Origin::kLocal;
}

/// How often each identifier occurs below a node.
const std::unordered_map<std::string_view, int>& identifier_counts(Node node) {
  return node.file()->memo().identifier_counts.of(node, [&] {
    std::unordered_map<std::string_view, int> counts;
    for_each_of(node, {"identifier"}, [&](Node inner) { ++counts[inner.text()]; });
    return counts;
  });
}

/// Calls `visit` for the scopes whose names are seen at a node, the nearest first, until it returns
/// false.
template <class Visit>
void each_visible_scope(Node at, Visit visit) {
  bool crossed_function = false;
  for (Node scope = scope_of(at); scope; scope = scope_of(scope)) {
    // The names of a class are seen in its body, not in its methods.
    bool visible = !scope.is({"class_definition"}) || !crossed_function;
    crossed_function = crossed_function || scope.is({"function_definition", "lambda"});
    if (visible && !visit(scope)) return;
  }
}

}  // namespace

std::vector<ScopeName> names_in_scope(Node at) {
  std::vector<ScopeName> names;
  if (!at) return names;
  Node function = enclosing_function(at);
  Node counted = function ? function : at.file()->root();
  const std::unordered_map<std::string_view, int>& uses = identifier_counts(counted);
  std::unordered_map<std::string_view, std::size_t> index;
  std::set<std::string_view> nearer;  // bound in a scope that is nearer
  each_visible_scope(at, [&](Node scope) {
    std::set<std::string_view> here;
    for (const Binding& binding : bindings_of(scope)) {
      std::string_view text = binding.name.text();
      if (text == "*" || nearer.count(text) > 0) continue;
      bool before = binding.name.range().start < at.range().start;
      if (here.insert(text).second) {
        index[text] = names.size();
        auto counted_uses = uses.find(text);
        names.push_back({std::string(text), origin_of(binding, scope, function),
                         binding.name.line(), before,
                         counted_uses == uses.end() ? 0 : counted_uses->second});
      } else if (before) {  // nearer than the one known
        names[index[text]].line = binding.name.line();
        names[index[text]].bound_before = true;
      }
    }
    nearer.insert(here.begin(), here.end());
    return true;
  });
  return names;
}

bool is_in_scope(Node at, std::string_view name) {
  bool found = false;
  each_visible_scope(at, [&](Node scope) {
    found = std::ranges::any_of(bindings_of(scope), [&](const Binding& binding) {
      return binding.name.text() == name && name != "*";
    });
    return !found;
  });
  return found;
}

const std::vector<std::string>& self_attributes(Node at) {
  static const std::vector<std::string> none;
  Node cls = enclosing_class(at);
  if (!cls) return none;
  return cls.file()->memo().self_attributes.of(cls, [&] {
    std::vector<std::string> found;
    std::unordered_set<std::string_view> seen;
    for_each_of(cls, {"attribute"}, [&](Node node) {
      std::string_view text = node.text();
      bool own = (text.starts_with("self") || text.starts_with("cls")) &&
                 node.field("object").is({"identifier"}) &&
                 (node.field("object").text() == "self" || node.field("object").text() == "cls");
      if (own && seen.insert(text).second) found.emplace_back(text);
    });
    return found;
  });
}

// ---- unresolved names --------------------------------------------------------------------------

namespace {

/// Resolves every name of a file as Python does, except for the order of statements.
class NameCheck {
 public:
  explicit NameCheck(const SourceFile& file) : file_(file) {}

  std::vector<Node> run() {
    Scope module{{}, false, nullptr};
    walk(file_.root(), [&](Node node) {
      if (node.is({"wildcard_import"})) everything_imported_ = true;
      if (node.is({"global_statement"})) {
        for (Node name : node.named_children()) module.names.insert(name.text());
      }
      return true;
    });
    if (everything_imported_) return {};
    add_names(file_.root(), module);
    check_children(file_.root(), module);
    return std::move(unresolved_);
  }

 private:
  struct Scope {
    std::unordered_set<std::string_view> names;
    bool is_class = false;
    const Scope* outer = nullptr;
    bool cut_by_function = false;  ///< a class around it is not seen
  };

  static void add_names(Node node, Scope& scope) {
    for (const Binding& binding : bindings_of(node)) scope.names.insert(binding.name.text());
  }

  void check(Node node, const Scope& scope) {
    if (!node.named() || node.is_trivia()) return;
    if (node.is({"identifier"})) return use(node, scope);
    if (is_import(node) || node.is({"global_statement", "nonlocal_statement", "ERROR"})) return;
    if (node.is({"attribute"})) return check(node.field("object"), scope);
    if (node.is({"keyword_argument"})) return check(node.field("value"), scope);
    if (node.is({"keyword_pattern"})) return check(node.named_child(1), scope);
    if (node.is({"dotted_name"})) return check(node.named_child(0), scope);
    if (is_scope(node)) return check_scope(node, scope);
    check_children(node, scope);
  }

  void check_children(Node node, const Scope& scope) {
    for (Node child : node.children()) check(child, scope);
  }

  /// The header of a definition is read outside, its body inside.
  void check_scope(Node node, const Scope& outer) {
    bool comprehension =
        !node.field("body") || !node.is({"class_definition", "function_definition", "lambda"});
    Scope header{{}, false, &outer};
    walk(node.field("type_parameters"), [&](Node inner) {
      if (inner.is({"identifier"})) header.names.insert(inner.text());
      return true;
    });
    Scope inside{
        {}, node.is({"class_definition"}), &header, node.is({"function_definition", "lambda"})};
    add_names(node, inside);
    if (comprehension) return check_children(node, inside);
    Node body = node.field("body");
    for (Node child : node.children()) {
      bool name = child == node.field("name");
      if (child == body)
        check(child, inside);
      else if (child.is({"parameters", "lambda_parameters"}))
        check_parameters(child, header);
      else if (!name)
        check(child, header);
    }
  }

  void check_parameters(Node parameters, const Scope& scope) {
    for (Node parameter : parameters.named_children()) {
      check(parameter.field("type"), scope);
      check(parameter.field("value"), scope);
    }
  }

  void use(Node identifier, const Scope& scope) {
    std::string_view name = identifier.text();
    bool crossed = false;
    for (const Scope* at = &scope; at != nullptr; at = at->outer) {
      if (!(at->is_class && crossed) && at->names.count(name) > 0) return;
      crossed = crossed || at->cut_by_function;
    }
    if (!is_builtin(name)) unresolved_.push_back(identifier);
  }

  const SourceFile& file_;
  bool everything_imported_ = false;
  std::vector<Node> unresolved_;
};

}  // namespace

std::vector<Node> unresolved_uses(const SourceFile& file) {
  if (file.language() != Language::kPython) return {};
  return NameCheck(file).run();
}

std::vector<std::string> unresolved_names(const SourceFile& file) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  for (Node use : unresolved_uses(file)) {
    if (seen.insert(use.text()).second) names.emplace_back(use.text());
  }
  return names;
}

}  // namespace suture
