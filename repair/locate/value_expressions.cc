#include "repair/locate/value_expressions.h"

#include <algorithm>
#include <string_view>

#include "repair/syntax/source_tree.h"

namespace suture {

std::vector<std::string> value_expressions(Node expression) {
  std::vector<std::string> found;
  const auto add = [&](std::string_view text) {
    if (text == "self" || text == "cls" || text.find('\n') != std::string_view::npos) return;
    if (std::find(found.begin(), found.end(), text) == found.end()) found.emplace_back(text);
  };
  walk(expression, [&](Node node) {
    const bool below = !(node == expression);
    if (below && node.is({"block", "lambda", "elif_clause", "else_clause", "except_clause",
                          "finally_clause", "case_clause"})) {
      return false;
    }
    const Node parent = node.parent();
    const bool is_callee = parent.kind() == "call" && parent.field("function") == node;
    const bool is_keyword = parent.kind() == "keyword_argument" && parent.field("name") == node;
    const bool is_member = parent.kind() == "attribute" && parent.field("attribute") == node;
    if (node.is({"identifier", "attribute"}) && !is_callee && !is_keyword && !is_member) {
      add(node.text());
    }
    return true;
  });
  return found;
}

Node argument_for(Node call, Node function, std::string_view parameter) {
  std::string_view callee = call.field("function").text();
  if (const auto dot = callee.rfind('.'); dot != std::string_view::npos) {
    callee.remove_prefix(dot + 1);
  }
  const std::string_view name = function.field("name").text();
  if (name != callee && name != "__init__" && name != "__call__" && name != "forward") return {};
  const auto parameters = parameters_of(function);
  std::size_t position = 0;
  for (const ParameterSyntax& p : parameters) {
    if (p.name == parameter) break;
    if (p.name != "self" && p.name != "cls") ++position;
  }
  std::size_t at = 0;
  for (Node argument : call.field("arguments").named_children()) {
    if (argument.kind() == "keyword_argument") {
      if (argument.field("name").text() == parameter) return argument.field("value");
    } else if (at++ == position) {
      return argument;
    }
  }
  return {};
}

}  // namespace suture
