#include "repair/refute/compile_rule.h"

#include <fmt/format.h>

#include <set>

namespace suture {
namespace {

std::optional<std::string> error_in_arguments(Node arguments) {
  std::set<std::string_view> names;
  bool by_name = false, doubly_starred = false;
  for (Node argument : arguments.named_children()) {
    if (argument.is({"keyword_argument"})) {
      std::string_view name = argument.field("name").text();
      if (!names.insert(name).second) return fmt::format("passes `{}` twice", name);
      by_name = true;
    } else if (argument.is({"dictionary_splat"})) {
      doubly_starred = true;
    } else if (argument.is({"list_splat"})) {
      if (doubly_starred) return "passes `*` after `**`";
    } else if (by_name || doubly_starred) {
      return fmt::format("passes `{}` by position after an argument by name", argument.text());
    }
  }
  return std::nullopt;
}

std::optional<std::string> error_in_parameters(Node function) {
  std::set<std::string> names;
  bool defaults = false, keyword_only = false;
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    if (!names.insert(parameter.name).second)
      return fmt::format("has the parameter `{}` twice", parameter.name);
    keyword_only = keyword_only || !parameter.prefix.empty() || parameter.keyword_only;
    if (keyword_only) continue;
    if (defaults && !parameter.has_default)
      return fmt::format("has the parameter `{}` without a default after one with a default",
                         parameter.name);
    defaults = defaults || parameter.has_default;
  }
  return std::nullopt;
}

bool inside_loop(Node node) {
  for (Node child = node, at = node.parent(); at; child = at, at = at.parent()) {
    if (at.is({"for_statement", "while_statement"}))
      return !child.is({"else_clause"}) || inside_loop(at);
    if (at.is({"function_definition", "class_definition", "module"})) return false;
  }
  return false;
}

std::optional<std::string> error_at(Node node) {
  if (node.is({"argument_list"}) && node.parent().is({"call"})) return error_in_arguments(node);
  if (node.is({"function_definition"})) return error_in_parameters(node);
  if (node.is({"return_statement", "yield"})) {
    Node around = node.ancestor({"function_definition", "lambda", "class_definition"});
    if (!around || around.is({"class_definition"}))
      return fmt::format("`{}` stands outside a function", node.is({"yield"}) ? "yield" : "return");
  }
  if (node.is({"break_statement", "continue_statement"}) && !inside_loop(node))
    return fmt::format("`{}` stands outside a loop", node.text());
  return std::nullopt;
}

}  // namespace

std::optional<std::string> compile_error(const EditedFile& file) {
  std::optional<std::string> error;
  walk(file.after->root(), [&](Node node) {
    if (error || !file.touches(node)) return false;
    error = error_at(node);
    if (error) error = fmt::format("line {} {}", node.line(), *error);
    return !error;
  });
  return error;
}

}  // namespace suture
