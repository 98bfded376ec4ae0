#include "repair/propose/precedence.h"

#include <map>

#include "repair/base/text.h"

namespace suture {
namespace {

enum Level {
  kLoosest = 0,
  kConditional = 1,
  kOr = 2,
  kAnd = 3,
  kNot = 4,
  kComparison = 5,
  kBitOr = 6,
  kBitXor = 7,
  kBitAnd = 8,
  kShift = 9,
  kSum = 10,
  kProduct = 11,
  kUnary = 12,
  kPower = 13,
  kAwait = 14,
  kPrimary = 15,
  kAtom = 20,
};

int binary_level(std::string_view op) {
  static const std::map<std::string_view, int> levels = {
      {"|", kBitOr},   {"^", kBitXor},  {"&", kBitAnd},  {"<<", kShift},  {">>", kShift},
      {"+", kSum},     {"-", kSum},     {"*", kProduct}, {"/", kProduct}, {"//", kProduct},
      {"%", kProduct}, {"@", kProduct}, {"**", kPower},
  };
  auto at = levels.find(op);
  return at == levels.end() ? int(kSum) : at->second;
}

int boolean_level(Node node) { return node.field("operator").text() == "or" ? kOr : kAnd; }

}  // namespace

int precedence(Node node) {
  std::string_view kind = node.kind();
  if (kind == "named_expression" || kind == "lambda" || kind == "yield" ||
      kind == "expression_list" || kind == "assignment") {
    return kLoosest;
  }
  if (kind == "conditional_expression") return kConditional;
  if (kind == "boolean_operator") return boolean_level(node);
  if (kind == "not_operator") return kNot;
  if (kind == "comparison_operator") return kComparison;
  if (kind == "binary_operator") return binary_level(node.field("operator").text());
  if (kind == "unary_operator") return kUnary;
  if (kind == "await") return kAwait;
  if (kind == "attribute" || kind == "call" || kind == "subscript") return kPrimary;
  return kAtom;
}

int required_precedence(Node node) {
  Node parent = node.parent();
  std::string_view kind = parent.kind();
  auto is_field = [&](std::string_view name) { return parent.field(name) == node; };
  if (kind == "attribute") return kPrimary;
  if (kind == "call") return is_field("function") ? int(kPrimary) : int(kLoosest);
  if (kind == "subscript") return is_field("value") ? int(kPrimary) : int(kLoosest);
  if (kind == "await") return kPrimary;
  if (kind == "unary_operator") return kUnary;
  if (kind == "binary_operator") {
    int level = binary_level(parent.field("operator").text());
    return is_field("left") ? level : level + 1;
  }
  if (kind == "comparison_operator") return kBitOr;
  if (kind == "not_operator") return kNot;
  if (kind == "boolean_operator") {
    int level = boolean_level(parent);
    return is_field("left") ? level : level + 1;
  }
  if (kind == "conditional_expression")
    return node == parent.named_child(2) ? int(kConditional) : int(kOr);
  if (kind == "list_splat" || kind == "dictionary_splat") return kBitOr;
  if (kind == "for_in_clause" || kind == "if_clause") return kOr;
  if (kind == "keyword_argument" || kind == "argument_list" || kind == "list" || kind == "tuple" ||
      kind == "pair" || kind == "set") {
    return kConditional;
  }
  return kLoosest;
}

std::string fit_into(Node place, std::string_view code) {
  int required = required_precedence(place);
  if (required == kLoosest || place.file()->language() != Language::kPython)
    return std::string(code);
  auto parsed = SourceFile::parse("expression", std::string(trim(code)), Language::kPython);
  if (!parsed || (*parsed)->error_count() > 0 || (*parsed)->root().named_child_count() != 1) {
    return std::string(code);
  }
  Node statement = (*parsed)->root().named_child(0);
  if (statement.kind() != "expression_statement") return std::string(code);
  // A keyword argument reads like an assignment.
  if (statement.named_child(0).kind() == "assignment") return std::string(code);
  // Several children: a bare tuple.
  int level =
      statement.named_child_count() == 1 ? precedence(statement.named_child(0)) : int(kLoosest);
  return level < required ? "(" + std::string(code) + ")" : std::string(code);
}

}  // namespace suture
