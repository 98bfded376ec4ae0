#include "repair/locate/statements.h"

#include <algorithm>
#include <functional>

#include "repair/base/text.h"

namespace suture {
namespace {

/// Nodes whose named children are statements.
bool is_container(Node node) {
  return node.is({"module", "block", "translation_unit", "compound_statement", "declaration_list",
                  "field_declaration_list"});
}

/// Parts of a compound statement with a header and a body of their own.
bool is_headed_clause(Node node) {
  return node.is(
      {"elif_clause", "except_clause", "except_group_clause", "case_clause", "catch_clause"});
}

/// Parts of a compound statement whose header says nothing (`else:`, `finally:`).
bool is_plain_clause(Node node) { return node.is({"else_clause", "finally_clause"}); }

/// What stands directly in a `#if`, `extern "C"` or `template`, beside its condition or parameters.
bool is_native_statement(Node node) {
  const std::string_view kind = node.kind();
  return kind.ends_with("_statement") || kind.ends_with("_definition") ||
         kind.ends_with("declaration") || kind.starts_with("preproc_if") ||
         kind == "preproc_include" || kind == "preproc_def";
}

bool is_log_call(std::string_view callee) {
  static constexpr std::string_view kWords[] = {"print",   "log",      "logger", "logging", "warn",
                                                "warning", "warnings", "info",   "debug"};
  const auto names = identifiers(callee);
  return std::any_of(names.begin(), names.end(), [](std::string_view name) {
    const auto parts = word_parts(name);
    return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
      return std::find(std::begin(kWords), std::end(kWords), part) != std::end(kWords);
    });
  });
}

StatementKind kind_of_expression(Node expression) {
  if (expression.is({"assignment", "augmented_assignment", "assignment_expression"})) {
    return StatementKind::kAssignment;
  }
  if (expression.is({"string", "concatenated_string", "ellipsis"})) {
    return StatementKind::kDocstring;
  }
  if (expression.kind() == "await") return kind_of_expression(expression.named_child(0));
  if (expression.kind() == "yield") return StatementKind::kReturn;
  if (expression.is({"call", "call_expression"})) {
    return is_log_call(expression.field("function").text()) ? StatementKind::kLog
                                                            : StatementKind::kCall;
  }
  return StatementKind::kOther;
}

StatementKind kind_of(Node node) {
  node = undecorated(node);
  if (node.kind() == "expression_statement") return kind_of_expression(node.named_child(0));
  if (node.is({"if_statement", "elif_clause", "while_statement", "match_statement", "case_clause",
               "assert_statement", "switch_statement", "case_statement"})) {
    return StatementKind::kCondition;
  }
  if (node.kind() == "return_statement") return StatementKind::kReturn;
  if (node.is({"raise_statement", "throw_statement"})) return StatementKind::kRaise;
  if (node.is({"for_statement", "for_range_loop", "do_statement"})) return StatementKind::kLoop;
  if (node.kind() == "with_statement") return StatementKind::kWith;
  if (node.kind() == "function_definition") return StatementKind::kDef;
  if (node.is({"class_definition", "class_specifier", "struct_specifier"})) {
    return StatementKind::kClass;
  }
  if (node.is({"import_statement", "import_from_statement", "future_import_statement",
               "preproc_include", "using_declaration"})) {
    return StatementKind::kImport;
  }
  if (node.is({"except_clause", "except_group_clause", "catch_clause"})) {
    return StatementKind::kHandler;
  }
  if (is_plain_clause(node)) return StatementKind::kElse;
  if (node.kind() == "declaration") return StatementKind::kAssignment;
  return StatementKind::kOther;
}

/// The first part of a compound statement that holds statements; null for a simple statement.
Node first_body(Node node) {
  for (Node child : node.children()) {
    if (is_container(child) || is_headed_clause(child) || is_plain_clause(child)) return child;
  }
  return {};
}

/// Where the header ends: before the body, after the ':' or the condition.
std::uint32_t header_end(Node node) {
  Node inner = undecorated(node);
  if (is_plain_clause(inner)) return inner.child(0).range().end;
  Node body = first_body(inner);
  if (!body || is_container(inner)) return inner.range().end;
  std::uint32_t end = inner.range().start;
  for (Node child : inner.children()) {
    if (child.range().start >= body.range().start) break;
    if (child.kind() != "comment") end = child.range().end;
  }
  return end;
}

void add_targets(Node target, std::vector<std::string>& names) {
  if (!target) return;
  if (target.is({"identifier", "attribute"})) {
    names.emplace_back(target.text());
  } else if (target.kind() == "subscript") {
    add_targets(target.field("value"), names);
  } else if (target.is({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern",
                        "tuple", "list", "parenthesized_expression", "as_pattern_target",
                        "expression_list"})) {
    for (Node child : target.named_children()) add_targets(child, names);
  }
}

void add_imported(Node import, std::vector<std::string>& names) {
  const Node module = import.field("module_name");
  for (Node child : import.named_children()) {
    if (module && child == module) continue;
    if (child.kind() == "aliased_import") {
      names.emplace_back(child.field("alias").text());
    } else if (child.kind() == "dotted_name") {
      names.emplace_back(child.named_child(0).text());
    }
  }
}

/// Calls `visit` for each node of a statement's header, in document order.
void walk_header(const Statement& statement, const std::function<bool(Node)>& visit) {
  const std::uint32_t end = header_end(statement.node);
  const Node top = statement.node;
  walk(top, [&](Node node) {
    if (node.range().start >= end) return false;
    if (!(node == top) && is_container(node)) return false;
    return visit(node);
  });
}

}  // namespace

Node undecorated(Node node) {
  return node.kind() == "decorated_definition" ? node.field("definition") : node;
}

std::vector<std::string> bound_names(const Statement& statement) {
  std::vector<std::string> names;
  const Node inner = undecorated(statement.node);
  if (inner.is({"function_definition", "class_definition"})) {
    names.emplace_back(inner.field("name").text());
  } else if (statement.kind == StatementKind::kImport) {
    add_imported(inner, names);
  } else {
    walk_header(statement, [&](Node node) {
      if (node.is({"assignment", "augmented_assignment", "for_statement"})) {
        add_targets(node.field("left"), names);
      } else if (node.kind() == "named_expression") {
        add_targets(node.field("name"), names);
      } else if (node.kind() == "as_pattern") {
        add_targets(node.field("alias"), names);
      }
      return !node.is({"lambda", "list_comprehension", "dictionary_comprehension",
                       "set_comprehension", "generator_expression"});
    });
  }
  return names;
}

bool binds(const Statement& statement, std::string_view name) {
  const auto names = bound_names(statement);
  return std::find(names.begin(), names.end(), name) != names.end();
}

Node assigned_value(const Statement& statement) {
  if (statement.kind != StatementKind::kAssignment) return {};
  Node value = statement.node.named_child(0).field("right");
  while (value.kind() == "assignment") value = value.field("right");
  return value;
}

std::vector<Node> calls_in(const Statement& statement) {
  std::vector<Node> calls;
  walk_header(statement, [&](Node node) {
    if (node.is({"call", "call_expression"})) calls.push_back(node);
    return true;
  });
  return calls;
}

StatementIndex::StatementIndex(const SourceFile& file) : file_(file) {
  visit(file.root(), {});
  for (int index = 0; index < int(statements_.size()); ++index) {
    const Statement& statement = statements_[std::size_t(index)];
    for (int line = statement.line; line <= statement.end_line; ++line) {
      by_line_.emplace(line, index);  // of `if x: y` on one line the header is kept
    }
  }
}

void StatementIndex::visit(Node container, Place place) {
  for (Node child : container.named_children()) {
    if (child.kind() != "comment") add_statement(child, place);
  }
}

void StatementIndex::add_statement(Node node, Place place) {
  if (node.kind() == "namespace_definition" || node.kind().starts_with("preproc_if") ||
      node.kind() == "linkage_specification" || node.kind() == "template_declaration") {
    visit_parts(node, place);  // only a place to stand in
    for (Node child : node.named_children()) {
      if (is_native_statement(child)) add_statement(child, place);
    }
    return;
  }
  const int index = int(statements_.size());
  Statement statement;
  statement.node = node;
  statement.kind = kind_of(node);
  statement.line = node.line();
  statement.body_end_line = node.end_line();
  const std::uint32_t start = node.range().start;
  const std::uint32_t end = std::max(start + 1, header_end(node));
  statement.end_line = file_.line_of(end - 1);
  statement.text = file_.text().substr(start, end - start);
  statement.parent = place.parent;
  statement.enclosing = place.function;
  statement.function = statement.is_def() ? index : place.function;
  statement.cls = statement.kind == StatementKind::kClass ? index : place.cls;
  statements_.push_back(statement);

  Place inside{index, statement.function, statement.cls};
  if (statement.is_def()) inside.cls = place.cls;
  visit_parts(undecorated(node), inside);
}

void StatementIndex::visit_parts(Node node, Place place) {
  for (Node child : node.children()) {
    if (is_container(child)) {
      visit(child, place);
    } else if (is_headed_clause(child) || is_plain_clause(child)) {
      add_statement(child, place);
    } else if (is_plain_clause(node) && is_native_statement(child)) {
      add_statement(child, place);  // `else if` of C++
    }
  }
}

int StatementIndex::at(int line) const {
  const auto found = by_line_.find(line);
  return found == by_line_.end() ? -1 : found->second;
}

int StatementIndex::function_starting_at(int line) const {
  const int index = at(line);
  return index >= 0 && (*this)[index].is_def() ? index : -1;
}

int StatementIndex::function_around(int line) const {
  int best = -1;
  for (int index = 0; index < int(statements_.size()); ++index) {
    const Statement& statement = (*this)[index];
    if (statement.line > line) break;
    if (statement.is_def() && line <= statement.body_end_line) best = index;
  }
  return best;
}

int StatementIndex::definition(std::string_view name) const {
  for (int index = 0; index < int(statements_.size()); ++index) {
    const Statement& statement = (*this)[index];
    if (!statement.is_def() && statement.kind != StatementKind::kClass) continue;
    if (qualified_name(undecorated(statement.node)) == name) return index;
  }
  return -1;
}

std::vector<int> StatementIndex::of_function(int function) const {
  std::vector<int> found;
  for (int index = std::max(function, 0); index < int(statements_.size()); ++index) {
    const Statement& statement = (*this)[index];
    if (function >= 0 && statement.line > (*this)[function].body_end_line) break;
    const bool nested_header = statement.is_def() && statement.enclosing == function;
    if (statement.function == function || nested_header) found.push_back(index);
  }
  return found;
}

std::string StatementIndex::qualname(int index) const {
  return qualified_name(undecorated((*this)[index].node));
}

}  // namespace suture
