#include "repair/propose/condition.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/lookups.h"

namespace suture {
namespace {

using Maybe = std::optional<bool>;

Maybe opposite(Maybe truth) { return truth ? Maybe(!*truth) : std::nullopt; }

bool is_number(const Value& value) {
  return value.type == "int" || value.type == "float" || value.type == "bool";
}

std::optional<double> number_of(const Value& value) {
  if (value.repr == "True") return 1;
  if (value.repr == "False") return 0;
  double number = 0;
  const char* end = value.repr.data() + value.repr.size();
  auto [stop, error] = std::from_chars(value.repr.data(), end, number);
  return error == std::errc() && stop == end ? std::optional<double>(number) : std::nullopt;
}

/// The content of a string's repr or literal; nothing for prefixes and escapes.
std::optional<std::string_view> content_of(std::string_view literal) {
  bool quoted = literal.size() >= 2 && (literal.front() == '\'' || literal.front() == '"') &&
                literal.back() == literal.front();
  if (!quoted || literal.find('\\') != std::string_view::npos) return std::nullopt;
  return literal.substr(1, literal.size() - 2);
}

Value simple(std::string type, std::string repr) {
  Value value;
  value.type = std::move(type);
  value.repr = std::move(repr);
  return value;
}

/// The operators of a comparison (a chain has several), with single blanks.
std::vector<std::string> operators_of(Node comparison) {
  std::vector<std::string> operators;
  for (Node child : comparison.children()) {
    if (child.named()) continue;
    std::string text(child.text());
    operators.push_back(text.starts_with("is") && text.size() > 2 ? "is not"
                        : text.starts_with("not")                 ? "not in"
                                                                  : text);
  }
  return operators;
}

Maybe truthiness(const Value& value) {
  if (value.none()) return false;
  if (is_number(value)) {
    auto number = number_of(value);
    return number ? Maybe(*number != 0) : std::nullopt;
  }
  static const std::set<std::string_view> sized = {"str", "list",      "tuple", "dict",
                                                   "set", "frozenset", "bytes"};
  if (value.length && sized.contains(value.type)) return *value.length > 0;
  if (!value.callable.empty()) return true;
  return std::nullopt;
}

Maybe equal(const Value& a, const Value& b) {
  if (a.none() || b.none()) {
    // Whatever is not a plain value may define == as it likes.
    static const std::set<std::string_view> plain = {"NoneType", "int",   "float", "bool", "str",
                                                     "list",     "tuple", "dict",  "set"};
    if (plain.contains(a.type) && plain.contains(b.type)) return a.none() == b.none();
    return std::nullopt;
  }
  if (is_number(a) && is_number(b)) {
    auto x = number_of(a), y = number_of(b);
    return x && y ? Maybe(*x == *y) : std::nullopt;
  }
  if (a.type == "str" && b.type == "str") {
    auto x = content_of(a.repr), y = content_of(b.repr);
    return x && y ? Maybe(*x == *y) : std::nullopt;
  }
  bool unlike = (is_number(a) && b.type == "str") || (a.type == "str" && is_number(b));
  return unlike ? Maybe(false) : std::nullopt;
}

class Evaluator {
 public:
  explicit Evaluator(const Match& match) : match_(match) {}

  Maybe truth(Node node) const {
    std::string_view kind = node.kind();
    if (kind == "parenthesized_expression") return truth(node.named_child(0));
    if (kind == "not_operator") return opposite(truth(node.field("argument")));
    if (kind == "boolean_operator") return joined(node);
    if (kind == "comparison_operator") return compared(node);
    if (kind == "call") {
      if (Maybe known = called(node)) return known;
    }
    auto value = value_of(node);
    return value ? truthiness(*value) : std::nullopt;
  }

 private:
  Maybe joined(Node node) const {
    Maybe left = truth(node.field("left")), right = truth(node.field("right"));
    bool decisive = node.field("operator").text() == "or";  // the value that decides alone
    if (left == Maybe(decisive) || right == Maybe(decisive)) return decisive;
    return left && right ? Maybe(!decisive) : std::nullopt;
  }

  Maybe compared(Node node) const {
    // A chain of comparisons: all of them must hold.
    std::vector<Node> operands = node.named_children();
    std::vector<std::string> operators = operators_of(node);
    if (operands.size() != operators.size() + 1) return std::nullopt;
    Maybe all = true;
    for (std::size_t i = 0; i < operators.size(); ++i) {
      Maybe one = compare(operands[i], operators[i], operands[i + 1]);
      if (one == Maybe(false)) return false;
      if (!one) all = std::nullopt;
    }
    return all;
  }

  Maybe compare(Node left, std::string_view op, Node right) const {
    if (op == "in" || op == "not in") {
      Maybe inside = contains(left, right);
      return op == "in" ? inside : opposite(inside);
    }
    auto a = value_of(left), b = value_of(right);
    if (!a || !b) return std::nullopt;
    if (op == "is" || op == "is not") {
      Maybe same = a->none() || b->none() ? Maybe(a->none() && b->none())
                   : a->type == "bool" || b->type == "bool"
                       ? (a->type == b->type ? Maybe(a->repr == b->repr) : Maybe(false))
                       : std::nullopt;
      return op == "is" ? same : opposite(same);
    }
    if (op == "==") return equal(*a, *b);
    if (op == "!=") return opposite(equal(*a, *b));
    if (!is_number(*a) || !is_number(*b)) return std::nullopt;
    auto x = number_of(*a), y = number_of(*b);
    if (!x || !y) return std::nullopt;
    if (op == "<") return *x < *y;
    if (op == "<=") return *x <= *y;
    if (op == ">") return *x > *y;
    if (op == ">=") return *x >= *y;
    return std::nullopt;
  }

  Maybe contains(Node left, Node right) const {
    auto a = value_of(left);
    if (!a) return std::nullopt;
    if (right.is({"tuple", "list", "set"})) {
      Maybe none = false;
      for (Node item : right.named_children()) {
        auto b = value_of(item);
        Maybe same = b ? equal(*a, *b) : std::nullopt;
        if (same == Maybe(true)) return true;
        if (!same) none = std::nullopt;
      }
      return none;
    }
    auto b = value_of(right);
    if (!b) return std::nullopt;
    auto word = a->type == "str" ? content_of(a->repr) : std::nullopt;
    if (b->type == "dict" && word) {
      if (std::find(b->keys.begin(), b->keys.end(), *word) != b->keys.end()) return true;
      bool whole = b->length && *b->length == std::int64_t(b->keys.size());
      return whole ? Maybe(false) : std::nullopt;
    }
    auto text = b->type == "str" ? content_of(b->repr) : std::nullopt;
    if (word && text && b->length && *b->length == std::int64_t(text->size())) {
      return text->find(*word) != std::string_view::npos;
    }
    return std::nullopt;
  }

  Maybe called(Node call) const {
    auto arguments = positional_arguments(call);
    std::string_view name = call.field("function").text();
    if (name == "isinstance" && arguments.size() == 2)
      return is_instance(arguments[0], arguments[1]);
    if (name == "hasattr" && arguments.size() == 2) {
      auto object = value_of(arguments[0]);
      auto attribute = content_of(arguments[1].text());
      if (!object || !attribute || object->members.empty()) return std::nullopt;
      if (std::find(object->members.begin(), object->members.end(), *attribute) !=
          object->members.end())
        return true;
      return object->dynamic || object->members.size() >= 300 ? std::nullopt : Maybe(false);
    }
    if (name == "bool" && arguments.size() == 1) return truth(arguments[0]);
    if (name == "callable" && arguments.size() == 1) {
      auto object = value_of(arguments[0]);
      if (object && !object->callable.empty()) return true;
      if (object && (object->none() || is_number(*object) || object->length)) return false;
    }
    return std::nullopt;
  }

  Maybe is_instance(Node object, Node type) const {
    if (type.kind() == "tuple") {
      Maybe any = false;
      for (Node one : type.named_children()) {
        Maybe is = is_instance(object, one);
        if (is == Maybe(true)) return true;
        if (!is) any = std::nullopt;
      }
      return any;
    }
    auto value = value_of(object);
    if (!value) return std::nullopt;
    std::string_view name = type.text();
    if (auto dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
    if (name == value->type || (name == "int" && value->type == "bool")) return true;
    static const std::set<std::string_view> builtin = {"NoneType", "int",   "float",    "bool",
                                                       "str",      "bytes", "list",     "tuple",
                                                       "dict",     "set",   "frozenset"};
    // A builtin's instance is of no class of the tree; a class of the tree may derive from a
    // builtin.
    static const std::set<std::string_view> abstract = {
        "object",    "Iterable", "Sequence",       "Mapping",        "Collection",
        "Container", "Number",   "Integral",       "Real",           "Hashable",
        "Sized",     "Callable", "MutableMapping", "MutableSequence"};
    if (builtin.contains(value->type) && !abstract.contains(name) &&
        type.is({"identifier", "attribute"})) {
      bool plain =
          builtin.contains(name) || !std::islower(static_cast<unsigned char>(name.front()));
      return plain ? Maybe(false) : std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Value> value_of(Node node) const {
    std::string_view kind = node.kind();
    if (kind == "parenthesized_expression") return value_of(node.named_child(0));
    if (kind == "none") return simple("NoneType", "None");
    if (kind == "true") return simple("bool", "True");
    if (kind == "false") return simple("bool", "False");
    if (kind == "integer") return simple("int", std::string(node.text()));
    if (kind == "float") return simple("float", std::string(node.text()));
    if (kind == "unary_operator" && node.field("operator").text() == "-" &&
        node.field("argument").is({"integer", "float"})) {
      return simple(std::string(node.field("argument").kind()) == "integer" ? "int" : "float",
                    "-" + std::string(node.field("argument").text()));
    }
    if (kind == "string") {
      auto content = content_of(node.text());
      if (!content) return std::nullopt;
      Value value = simple("str", std::string(node.text()));
      value.length = std::int64_t(content->size());
      return value;
    }
    if (kind == "call" && node.field("function").text() == "len") {
      auto arguments = positional_arguments(node);
      auto container = arguments.size() == 1 ? value_of(arguments[0]) : std::nullopt;
      if (!container || !container->length) return std::nullopt;
      return simple("int", std::to_string(*container->length));
    }
    if (node.is({"identifier", "attribute", "subscript"})) {
      if (const Value* value = observed(match_, node.text())) return *value;
    }
    return std::nullopt;
  }

  const Match& match_;
};

}  // namespace

std::optional<bool> truth_of(const Match& match, std::string_view condition) {
  if (match.file.language() != Language::kPython) return std::nullopt;
  auto parsed = SourceFile::parse("condition", std::string(trim(condition)), Language::kPython);
  if (!parsed || (*parsed)->error_count() > 0 || (*parsed)->root().named_child_count() != 1)
    return std::nullopt;
  Node statement = (*parsed)->root().named_child(0);
  if (statement.kind() != "expression_statement" || statement.named_child_count() != 1)
    return std::nullopt;
  return Evaluator(match).truth(statement.named_child(0));
}

Decision decision_of(Node node) {
  bool operand = false;
  for (Node child = node, parent = node.parent(); parent;
       child = parent, parent = parent.parent()) {
    if (parent.is({"parenthesized_expression", "boolean_operator", "not_operator"})) {
      operand |= parent.kind() != "parenthesized_expression";
      continue;
    }
    bool decides = (parent.is({"if_statement", "elif_clause", "while_statement"}) &&
                    parent.field("condition") == child) ||
                   (parent.kind() == "conditional_expression" && parent.named_child(1) == child) ||
                   (parent.kind() == "assert_statement" && parent.named_child(0) == child) ||
                   parent.kind() == "if_clause";
    if (!decides) return Decision::kNone;
    return operand ? Decision::kOperand : Decision::kWhole;
  }
  return Decision::kNone;
}

std::optional<bool> branch_ran(const Match& match, Node condition) {
  Node statement = condition.parent();
  while (statement.is({"parenthesized_expression", "boolean_operator", "not_operator"}))
    statement = statement.parent();
  const std::string& path = match.file.path();
  if (statement.kind() == "assert_statement") {
    for (const LiveException& exception : match.input.evidence.exceptions) {
      for (const LiveFrame& frame : exception.frames) {
        if (frame.in_tree && frame.file == path && statement.line() <= frame.at.line &&
            frame.at.line <= statement.end_line()) {
          return false;
        }
      }
    }
    return std::nullopt;
  }
  if (match.input.evidence.empty() ||
      !statement.is({"if_statement", "elif_clause", "while_statement"}))
    return std::nullopt;
  Node body = statement.field(statement.kind() == "while_statement" ? "body" : "consequence");
  for (Node inner : body.named_children()) {
    bool silent =
        inner.is({"pass_statement", "global_statement"}) ||
        (inner.kind() == "expression_statement" && inner.named_child(0).kind() == "string");
    if (silent) continue;
    if (inner.line() == condition.line()) return std::nullopt;
    return match.input.evidence.was_executed(path, inner.line());
  }
  return std::nullopt;
}

std::string negation_of(std::string_view condition) {
  auto plain = [&] { return "not " + std::string(condition); };
  auto parsed = SourceFile::parse("condition", std::string(trim(condition)), Language::kPython);
  if (!parsed || (*parsed)->error_count() > 0) return "not (" + std::string(condition) + ")";
  Node node = (*parsed)->root().named_child(0).named_child(0);
  if (node.kind() == "not_operator") {
    Node inner = node.field("argument");
    if (inner.kind() == "parenthesized_expression") inner = inner.named_child(0);
    return std::string(inner.text());
  }
  if (node.kind() == "comparison_operator") {
    static const std::map<std::string_view, std::string_view> opposites = {
        {"is", "is not"}, {"is not", "is"}, {"==", "!="}, {"!=", "=="}, {"in", "not in"},
        {"not in", "in"}, {"<", ">="},      {">=", "<"},  {">", "<="},  {"<=", ">"}};
    auto operators = operators_of(node);
    if (operators.size() == 1 && node.named_child_count() == 2) {
      if (auto at = opposites.find(operators[0]); at != opposites.end()) {
        return std::string(node.named_child(0).text()) + " " + std::string(at->second) + " " +
               std::string(node.named_child(1).text());
      }
    }
    return "not (" + std::string(condition) + ")";
  }
  if (node.is({"boolean_operator", "conditional_expression", "lambda", "named_expression"})) {
    return "not (" + std::string(condition) + ")";
  }
  return plain();
}

std::string literal_of(const Value& value) {
  static const std::set<std::string_view> plain = {"int", "float", "bool", "str", "NoneType"};
  if (!plain.contains(value.type) || value.repr.empty() || value.repr.size() > 40) return "";
  if (value.none()) return "None";
  if (value.type == "str" && !content_of(value.repr)) return "";
  if (value.repr == "inf" || value.repr == "-inf" || value.repr == "nan") return "";
  // The probe cuts long strings; a cut one is not the value.
  if (value.type == "str" && value.length && *value.length + 2 != std::int64_t(value.repr.size()))
    return "";
  return value.repr;
}

}  // namespace suture
