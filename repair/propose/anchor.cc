#include "repair/propose/lookups.h"
#include "repair/propose/operator.h"
#include "repair/propose/statements.h"

namespace suture {
namespace {

/// The call of a function on a line of a file of the tree: of its class, when it is a constructor.
Node call_on_line(const Match& match, const std::string& path, int line, Node function) {
  const SourceFile* file = match.input.tree.source(path);
  if (file == nullptr) return {};
  std::string_view name = function.field("name").text();
  std::string_view cls = enclosing_class(function).field("name").text();
  return innermost_on_line(*file, line, [&](Node node) {
    return node.kind() == "call" &&
           (called_name(node) == name || (name == "__init__" && called_name(node) == cls));
  });
}

/// The call that called the function of the match: in an outer frame of the failure, else the first
/// that the traced run saw.
Node call_site(const Match& match) {
  Node function = enclosing_function(match.node);
  if (!function) return {};
  auto runs_match = [&](const std::string& file, int line) {
    return file == match.file.path() && function.line() <= line && line <= function.end_line();
  };
  const LiveException* failure = match.input.evidence.failure();
  for (std::size_t i = failure == nullptr ? 0 : failure->frames.size(); i-- > 1;) {
    const LiveFrame& inner = failure->frames[i];
    const LiveFrame& outer = failure->frames[i - 1];
    if (inner.in_tree && outer.in_tree && runs_match(inner.file, inner.at.line))
      return call_on_line(match, outer.file, outer.at.line, function);
  }
  for (const CalledFunction& called : match.input.evidence.called) {
    bool own = called.qualname.ends_with(function.field("name").text());
    if (own && runs_match(called.file, called.first_line) && called.caller_line > 0)
      return call_on_line(match, called.caller_file, called.caller_line, function);
  }
  return {};
}

/// The whole expression that a statement assigns, returns or yields, when it holds the node.
Node value_around(Node node) {
  Node statement = enclosing_statement(node);
  for (Node child = node; child && child != statement; child = child.parent()) {
    Node parent = child.parent();
    bool whole =
        (parent.is({"assignment", "augmented_assignment"}) && parent.field("right") == child) ||
        parent.kind() == "return_statement";
    if (whole) return child;
  }
  return {};
}

/// The operand of the nearest `and` or `or` that holds the node.
Node operand_around(Node node) {
  for (Node child = node; child && !child.parent().is({"block", "module"});
       child = child.parent()) {
    if (child.parent().kind() == "boolean_operator") return child;
  }
  return {};
}

Node named_definition(const Match& match, std::string_view name) {
  auto definition = definition_named(match, name);
  return definition ? definition_node(match.input.tree, *definition) : Node();
}

}  // namespace

Node anchor(const Match& match, std::string_view name) {
  if (name == "match") return match.node;
  if (name.starts_with('$')) {
    name = hole_name(name);
    if (name == "MATCH") return match.node;
    if (Node node = match.node_of(name)) return node;
    return named_definition(match, match.text_of(name));
  }
  if (name == "statement") return enclosing_statement(match.node);
  if (name == "condition") return condition_of(match.node);
  if (name == "operand") return operand_around(match.node);
  if (name == "value") return value_around(match.node);
  if (name == "function") return enclosing_function(match.node);
  if (name == "class") return enclosing_class(match.node);
  if (name == "module") return match.file.root();
  if (name == "call") return call_at(match.node);
  if (name == "parent") return match.node.parent();
  if (name == "previous_statement") return enclosing_statement(match.node).previous_named_sibling();
  if (name == "next_sibling") return match.node.next_named_sibling();
  if (name == "next_statement") return enclosing_statement(match.node).next_named_sibling();
  if (name == "enclosing_compound") return enclosing_statement(match.node).parent().parent();
  if (name == "outer_statement") return outer_statement(match);
  if (name == "next_value")
    return enclosing_statement(match.node).next_named_sibling().named_child(0).field("right");
  if (name == "previous_class") return previous_class(match);
  if (name == "next_body_start") return next_body_start(match);
  if (name == "previous_body_end") return previous_body_end(match);
  if (name == "failing_statement") return failing_statement(match);
  if (name == "call_site") return call_site(match);
  if (name == "callee_definition") {
    Node call = call_at(match.node);
    if (!call) return {};
    auto definition = callee_of(match, call);
    return definition ? definition_node(match.input.tree, *definition) : Node();
  }
  return {};
}

const std::vector<std::pair<std::string_view, std::string_view>>& anchor_names() {
  static const std::vector<std::pair<std::string_view, std::string_view>> names = {
      {"match", "the matched node"},
      {"statement", "the statement that holds the match"},
      {"condition",
       "the condition that decides about the match (if, elif, while, ternary, assert, filter)"},
      {"operand", "the operand of the nearest `and` or `or` that holds the match"},
      {"value",
       "the whole right side of the assignment, or the whole value returned, that holds the match"},
      {"function", "the function that holds the match"},
      {"class", "the class that holds the match"},
      {"module", "the file"},
      {"call", "the match when it is a call, else the nearest call around it"},
      {"parent", "the node directly above the match"},
      {"previous_statement", "the statement before the match's, in the same block"},
      {"next_sibling", "the node behind the match: the next argument, element, statement ..."},
      {"next_statement", "the statement after the match's, in the same block"},
      {"enclosing_compound",
       "the compound statement (if, for, with ...) whose block holds the statement"},
      {"outer_statement", "the whole statement whose body or branch holds the statement"},
      {"next_value", "what the assignment behind the statement assigns"},
      {"previous_class", "the nearest class before the statement, in the same block"},
      {"next_body_start",
       "the first statement in the body of the compound statement behind the statement"},
      {"previous_body_end",
       "the last statement in the body of the compound statement before the statement"},
      {"failing_statement", "the innermost statement of the file that was running at the failure"},
      {"call_site",
       "the call of the function that holds the match, in an outer frame of the failure, else "
       "where "
       "the run first called it"},
      {"callee_definition", "the function of the tree that the call calls"},
  };
  return names;
}

}  // namespace suture
