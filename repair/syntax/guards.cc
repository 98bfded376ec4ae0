#include <algorithm>
#include <iterator>
#include <set>

#include "repair/syntax/layout.h"
#include "repair/syntax/scope.h"

// guards_on: see scope.h.

namespace suture {
namespace {

using Kinds = std::set<GuardKind>;

/// What stands within parentheses.
Node unparenthesized(Node node) {
  while (node.is({"parenthesized_expression"})) {
    std::vector<Node> inner = node.named_children();
    node = inner.empty() ? Node() : inner.front();
  }
  return node;
}

/// Text without white space; of `(x := f())` the name, of `((a))` what is within.
std::string normal(Node node) {
  node = unparenthesized(node);
  if (node.is({"named_expression"})) node = node.field("name");
  return without_blanks(node.text());
}

Kinds both(Kinds a, const Kinds& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Kinds common(const Kinds& a, const Kinds& b) {
  Kinds result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(result, result.end()));
  return result;
}

/// Whether control never reaches the end of a block.
bool leaves(Node block) {
  std::vector<Node> statements = block.named_children();
  if (statements.empty()) return false;
  Node last = statements.back();
  if (last.is({"return_statement", "raise_statement", "continue_statement", "break_statement"})) {
    return true;
  }
  std::string call = normal(last.named_child(0).field("function"));
  if (call == "sys.exit" || call == "os._exit" || call == "exit") return true;
  if (!last.is({"if_statement"}) || !leaves(last.field("consequence"))) return false;
  bool has_else = false;
  for (Node clause : last.fields("alternative")) {
    bool is_else = clause.is({"else_clause"});
    has_else = has_else || is_else;
    if (!leaves(clause.field(is_else ? "body" : "consequence"))) return false;
  }
  return has_else;
}

/// Adds a target, or the targets that it is made of.
void add_targets(Node target, std::vector<AssignedTarget>& assigned) {
  if (target.is({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"})) {
    for (Node part : target.named_children()) add_targets(part, assigned);
  } else {
    assigned.push_back({target.range().start, normal(target)});
  }
}

/// All targets in the function (or module) around a node, by place; nested functions left out.
std::vector<AssignedTarget> targets_around(Node at) {
  Node scope = at;
  auto is_scope = [](Node node) { return node.is({"function_definition", "class_definition"}); };
  for (Node parent = scope.parent(); parent && !is_scope(parent); parent = scope.parent())
    scope = parent;
  std::vector<AssignedTarget> assigned;
  walk(scope, [&](Node node) {
    if (node.is({"assignment", "for_statement"})) add_targets(node.field("left"), assigned);
    if (node.is({"named_expression"})) add_targets(node.field("name"), assigned);
    if (node.is({"as_pattern_target"})) add_targets(node.named_child(0), assigned);
    return !is_scope(node) && !node.is({"lambda"});
  });
  std::ranges::stable_sort(assigned, {}, &AssignedTarget::start);
  return assigned;
}

class Guards {
 public:
  Guards(std::string expression, const std::vector<AssignedTarget>& assigned)
      : expression_(std::move(expression)), assigned_(assigned) {}

  Kinds on(Node at) {
    for (Node node = at; going_on_;) {
      Node parent = node.parent();
      if (!parent || parent.is({"function_definition", "class_definition"})) break;
      if (parent.is({"block", "module"})) {
        look_at_statements_before(node);
      } else {
        found_ = both(found_, known_in(node, parent));
        if (parent.is({"for_statement"}) && sets(parent.field("left"))) break;
      }
      node = parent;
    }
    return found_;
  }

 private:
  bool is_expression(Node node) const { return normal(node) == expression_; }

  /// What is known about the expression where a condition came out true (or false).
  Kinds known_if(Node condition, bool truth) const {
    condition = unparenthesized(condition);
    if (!condition) return {};
    if (condition.is({"not_operator"})) return known_if(condition.field("argument"), !truth);
    if (condition.is({"boolean_operator"})) {
      Kinds left = known_if(condition.field("left"), truth);
      Kinds right = known_if(condition.field("right"), truth);
      bool both_hold = (condition.field("operator").kind() == "and") == truth;
      return both_hold ? both(left, right) : common(left, right);
    }
    if (condition.is({"comparison_operator"})) return known_if_compared(condition, truth);
    Kinds known;
    if (condition.is({"named_expression"})) known = known_if(condition.field("value"), truth);
    if (!truth) return known;
    if (condition.is({"call"})) known = known_if_called(condition);
    if (is_expression(condition)) known.insert(GuardKind::kTruth);
    return known;
  }

  Kinds known_if_compared(Node comparison, bool truth) const {
    std::vector<Node> operands = comparison.named_children();
    if (operands.size() != 2) return {};
    Node left = operands[0], right = operands[1];
    std::string_view op = comparison.field("operators").kind();
    bool equal = op == "is" || op == "==";
    bool unequal = op == "is not" || op == "!=";
    if (left.is({"none"})) std::swap(left, right);
    if (right.is({"none"}) && (truth ? unequal : equal)) {
      Kinds known = reads_attribute(left) ? Kinds{GuardKind::kHasattr} : Kinds{};
      if (!known.empty() || is_expression(left)) known.insert(GuardKind::kNone);
      return known;
    }
    if (truth ? op == "in" : op == "not in") {
      bool tested = is_expression(left) || expression_ == normal(right) + "[" + normal(left) + "]";
      return tested ? Kinds{GuardKind::kMembership} : Kinds{};
    }
    bool not_empty = truth && op == ">" && normal(left) == "len(" + expression_ + ")";
    return not_empty ? Kinds{GuardKind::kTruth} : Kinds{};
  }

  Kinds known_if_called(Node call) const {
    std::string function = normal(call.field("function"));
    std::vector<Node> arguments = call.field("arguments").named_children();
    if (arguments.empty()) return {};
    bool about_it = is_expression(arguments[0]);
    if (function == "isinstance" && about_it) return {GuardKind::kIsinstance};
    if (function == "hasattr" && (about_it || names_attribute(arguments))) {
      return {GuardKind::kHasattr};
    }
    if (reads_attribute(call)) return {GuardKind::kHasattr, GuardKind::kTruth};
    if ((function == "len" || function == "bool") && about_it) return {GuardKind::kTruth};
    return {};
  }

  /// `(x, "a", ...)` for the expression x.a.
  bool names_attribute(const std::vector<Node>& arguments) const {
    if (arguments.size() < 2 || !arguments[1].is({"string"})) return false;
    std::string_view name = arguments[1].named_child(1).text();
    return expression_ == normal(arguments[0]) + "." + std::string(name);
  }

  /// `getattr(x, "a", None)` for the expression x.a.
  bool reads_attribute(Node call) const {
    return call.is({"call"}) && call.field("function").text() == "getattr" &&
           names_attribute(call.field("arguments").named_children());
  }

  /// What the parent's conditions say about the place of one of its children.
  Kinds known_in(Node node, Node parent) const {
    if (parent.is({"if_statement"})) return known_in_clause(node, parent);
    bool body = node == parent.field("consequence") || node == parent.field("body");
    if (parent.is({"elif_clause", "while_statement"}) && body) {
      return known_if(parent.field("condition"), true);
    }
    if (parent.is({"case_clause"}) && body) {
      return known_if(parent.field("guard").named_child(0), true);
    }
    if (parent.is({"conditional_expression"})) {
      std::vector<Node> parts = parent.named_children();  // value, condition, other
      if (parts.size() == 3 && !(node == parts[1])) return known_if(parts[1], node == parts[0]);
    }
    if (parent.is({"boolean_operator"}) && node == parent.field("right")) {
      return known_if(parent.field("left"), parent.field("operator").kind() == "and");
    }
    Kinds known;
    if (parent.is({"list_comprehension", "set_comprehension", "dictionary_comprehension",
                   "generator_expression"})) {
      for (Node clause : parent.named_children()) {
        bool before = body || clause.range().end <= node.range().start;
        if (clause.is({"if_clause"}) && before) {
          known = both(known, known_if(clause.named_child(0), true));
        }
      }
    }
    return known;
  }

  /// In the consequence the condition holds, in a later clause it and those between failed.
  Kinds known_in_clause(Node node, Node statement) const {
    Node condition = statement.field("condition");
    if (node == statement.field("consequence")) return known_if(condition, true);
    Kinds known;
    if (node == condition) return known;
    known = known_if(condition, false);
    for (Node clause : statement.fields("alternative")) {
      if (clause == node) break;
      known = both(known, known_if(clause.field("condition"), false));
    }
    return known;
  }

  /// Looks back from a statement to the start of its block, or to where the expression was set.
  void look_at_statements_before(Node statement) {
    for (Node before = statement.previous_named_sibling(); before && going_on_;
         before = before.previous_named_sibling()) {
      if (before.is({"assert_statement"})) {
        found_ = both(found_, known_if(before.named_child(0), true));
      } else if (before.is({"if_statement"})) {
        found_ = both(found_, known_after(before));
      }
      if (sets_somewhere(before)) going_on_ = false;
    }
  }

  /// Behind an `if` whose branch leaves, or whose branch repairs what its condition found missing.
  Kinds known_after(Node statement) const {
    Node condition = statement.field("condition");
    Node consequence = statement.field("consequence");
    std::vector<Node> clauses = statement.fields("alternative");
    if (leaves(consequence)) {
      Kinds known = known_if(condition, false);
      bool all_leave = true;
      for (Node clause : clauses) {
        if (sets_somewhere(clause)) return {};
        all_leave = all_leave && leaves(clause.field("consequence"));
        if (all_leave) known = both(known, known_if(clause.field("condition"), false));
      }
      return known;
    }
    if (clauses.empty()) {
      return sets_somewhere(consequence) ? known_if(condition, false) : Kinds{};
    }
    Node other = clauses.back();
    bool only_this_stays = clauses.size() == 1 && other.is({"else_clause"}) &&
                           leaves(other.field("body")) && !sets_somewhere(consequence);
    return only_this_stays ? known_if(condition, true) : Kinds{};
  }

  /// Whether an assignment to the target changes what the expression means.
  bool sets(Node target) const {
    std::vector<AssignedTarget> parts;
    add_targets(target, parts);
    return std::ranges::any_of(parts, [this](auto& part) { return sets(part); });
  }

  bool sets(const AssignedTarget& target) const {
    const std::string& text = target.text;
    return expression_.starts_with(text) && !text.empty() &&
           (expression_.size() == text.size() || expression_[text.size()] == '.' ||
            expression_[text.size()] == '[');
  }

  bool sets_somewhere(Node statement) const {
    auto [start, end] = statement.range();
    auto each = std::ranges::lower_bound(assigned_, start, {}, &AssignedTarget::start);
    for (; each != assigned_.end() && each->start < end; ++each) {
      if (sets(*each)) return true;
    }
    return false;
  }

  std::string expression_;  ///< without white space
  const std::vector<AssignedTarget>& assigned_;
  Kinds found_;
  bool going_on_ = true;
};

}  // namespace

GuardFinder::GuardFinder(Node at)
    : at_(at), assigned_(at ? targets_around(at) : decltype(assigned_){}) {}

std::vector<GuardKind> GuardFinder::on(std::string_view expression) const {
  Kinds kinds = Guards(without_blanks(expression), assigned_).on(at_);
  return {kinds.begin(), kinds.end()};
}

std::vector<GuardKind> guards_on(Node at, std::string_view expression) {
  return GuardFinder(at).on(expression);
}

}  // namespace suture
