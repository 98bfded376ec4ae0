#include "repair/propose/initialisers.h"

#include <fmt/format.h>

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

}  // namespace suture
