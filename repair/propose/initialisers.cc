#include "repair/propose/initialisers.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/syntax/edit.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

/// Whether the function can be called on an object without arguments.
bool needs_nothing(Node function) {
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    if (parameter.name != "self" && parameter.prefix.empty() && !parameter.has_default)
      return false;
  }
  return true;
}

/// Whether something other than None is assigned to the target within the node.
bool gives_value(Node node, std::string_view target) {
  bool gives = false;
  walk(node, [&](Node inner) {
    gives |= inner.kind() == "assignment" && inner.field("left").text() == target &&
             inner.field("right") && !inner.field("right").is({"none"});
    return !gives;
  });
  return gives;
}

void add_methods(Node cls, Node own, const std::string& name, Basket& basket) {
  walk(cls.field("body"), [&](Node node) {
    if (node.kind() != "function_definition") return true;
    std::string_view method = node.field("name").text();
    bool dunder = method.starts_with("__");
    // Properties are not called.
    bool decorated = node.parent().kind() == "decorated_definition";
    if (!dunder && !decorated && node.range() != own.range() && needs_nothing(node) &&
        gives_value(node, "self." + name)) {
      bool speaks = method.find(name) != std::string_view::npos;
      for (std::string_view word : {"init", "build", "setup", "set_up", "load", "create", "prepare",
                                    "reset", "make", "open", "update", "compute"})
        speaks |= method.find(word) != std::string_view::npos;
      basket.add(fmt::format("self.{}()", method), speaks ? 1 : 0.6);
    }
    return false;
  });
}

/// `if x is None: x = ...` of another function, where the module starts with `x = None`.
void add_lazy_global(const Match& match, Node own, const std::string& name, Basket& basket) {
  walk(match.file.root(), [&](Node node) {
    if (node.kind() != "if_statement" || own.range().contains(node.range())) return true;
    Node function = enclosing_function(node);
    std::string test(node.field("condition").text());
    bool asks = test == name + " is None" || test == "not " + name || test == name + " == None";
    if (!function || !asks || !gives_value(node.field("consequence"), name) ||
        node.field("alternative"))
      return true;
    basket.add(fmt::format("global {}\n{}", name, reindent(node.text(), "")), 1);
    return false;
  });
}

}  // namespace

std::vector<Ingredient> initialising_statements(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Node own =
      match.node.kind() == "function_definition" ? match.node : enclosing_function(match.node);
  if (!own || name.empty()) return {};
  Basket basket;
  if (name.starts_with("self.")) name = name.substr(5);
  if (Node cls = enclosing_class(own)) add_methods(cls, own, name, basket);
  add_lazy_global(match, own, name, basket);
  return basket.take();
}

std::vector<Ingredient> own_state(const Match& match, const Arguments&) {
  static const RE2 in_place(
      "append|extend|insert|remove|pop|popitem|clear|update|setdefault|add|discard|appendleft");
  Node cls = enclosing_class(match.node);
  if (match.node.kind() != "function_definition" || !cls) return {};
  Basket basket;
  for (Node statement : cls.field("body").named_children()) {
    Node assignment = statement.named_child(0);
    Node left = assignment.field("left"), right = assignment.field("right");
    bool container = right.is({"list", "dictionary", "set"}) || right.text() == "set()" ||
                     right.text() == "dict()" || right.text() == "list()";
    if (assignment.kind() != "assignment" || left.kind() != "identifier" || !container) continue;
    std::string own = "self." + std::string(left.text());
    bool changed = false, set_anew = false;
    walk(cls.field("body"), [&](Node node) {
      if (node.kind() == "call" && node.field("function").kind() == "attribute") {
        Node function = node.field("function");
        changed |= function.field("object").text() == own &&
                   RE2::FullMatch(function.field("attribute").text(), in_place);
      }
      if (node.is({"assignment", "augmented_assignment"})) {
        Node target = node.field("left");
        changed |= target.kind() == "subscript" && target.field("value").text() == own;
        changed |= node.kind() == "augmented_assignment" && target.text() == own;
        set_anew |= node.kind() == "assignment" && target.text() == own;
      }
      return true;
    });
    if (changed && !set_anew) basket.add(own + " = " + std::string(right.text()), 1);
  }
  return basket.take();
}

std::vector<Ingredient> field_declarations(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Basket basket;
  auto gather = [&](const SourceFile& file, double weight) {
    walk(file.root(), [&](Node node) {
      bool field = node.kind() == "assignment" && node.field("left").text() == name &&
                   node.field("type") && node.field("right") && !enclosing_function(node) &&
                   enclosing_class(node) && !(enclosing_class(node) == match.node);
      // Names of types and defaults must mean something in the other file, too.
      bool plain = field && node.line() == node.end_line() && node.text().size() < 80;
      if (plain) {
        walk(node, [&](Node part) {
          static const RE2 known(
              "None|True|False|int|float|str|bool|list|dict|tuple|set|object|bytes");
          bool label = part == node.field("left");
          if (part.kind() == "identifier" && !label && !RE2::FullMatch(part.text(), known)) {
            plain &= is_in_scope(match.node, part.text());
          }
          return plain;
        });
      }
      if (plain) basket.add(std::string(node.text()), weight);
      return true;
    });
  };
  gather(match.file, 1);
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.files_mentioning(name)) {
    if (path == match.file.path() || ++read > 8) continue;
    if (const SourceFile* file = match.input.tree.source(path)) gather(*file, 0.9);
  }
  double weight = 0.7;
  for (const char* value : {"None", "False", "0"}) {
    basket.add(fmt::format("{}: object = {}", name, value), weight);
    weight *= 0.8;
  }
  return basket.take();
}

}  // namespace suture
