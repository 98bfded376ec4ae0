#include "repair/syntax/conditions.h"

namespace suture {
namespace {

/// The condition that a node has, parentheses included; null when it has none.
Node condition_of(Node node) {
  if (node.is({"if_statement", "elif_clause", "while_statement"})) return node.field("condition");
  if (node.is({"conditional_expression"})) {
    std::vector<Node> parts = node.named_children();
    return parts.size() == 3 ? parts[1] : Node();
  }
  if (node.is({"assert_statement", "if_clause"})) {
    std::vector<Node> parts = node.named_children();
    return parts.empty() ? Node() : parts.front();
  }
  return {};
}

}  // namespace

std::vector<Node> conditions_in(Node node) {
  std::vector<Node> found;
  walk(node, [&](Node each) {
    if (each != node && each.is({"function_definition", "class_definition"})) return false;
    Node condition = condition_of(each);
    while (condition.is({"parenthesized_expression"})) {
      std::vector<Node> inner = condition.named_children();
      condition = inner.empty() ? Node() : inner.front();
    }
    bool decides = condition && !condition.is({"true", "false", "none", "integer"});
    if (decides) found.push_back(condition);
    return true;
  });
  return found;
}

}  // namespace suture
