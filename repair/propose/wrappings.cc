#include "repair/propose/wrappings.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/lookups.h"
#include "repair/propose/usable_names.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

/// Methods that give their object in another form.
bool is_conversion_method(std::string_view name) {
  static const std::set<std::string_view> all = {
      "absolute",   "as_posix", "astype",    "bfloat16", "bool",      "casefold",  "clone",
      "contiguous", "copy",     "cpu",       "cuda",     "decode",    "detach",    "double",
      "encode",     "expand",   "flatten",   "float",    "get_local", "half",      "int",
      "item",       "long",     "lower",     "lstrip",   "numpy",     "permute",   "reshape",
      "resolve",    "round",    "rstrip",    "squeeze",  "strip",     "t",         "title",
      "to",         "tolist",   "transpose", "type",     "type_as",   "unsqueeze", "upper",
      "view"};
  return all.contains(name);
}

/// Builtin calls that give their argument in another form.
bool is_conversion(std::string_view name) {
  static const std::set<std::string_view> all = {
      "int", "float", "str",  "bool", "list",     "tuple", "set",  "dict",     "sorted",
      "abs", "bytes", "Path", "repr", "reversed", "round", "iter", "frozenset"};
  return all.contains(name);
}

/// Calls that tell something about their argument, or take it to themselves: no form of it.
bool is_no_form(std::string_view name) {
  static const RE2 words(
      R"(isinstance|issubclass|hasattr|getattr|setattr|delattr|len|print|range|enumerate|zip|super|type|id|all|any|min|max|sum|next|map|filter|callable|open|exec|eval|hash|vars|dir|append|extend|add|insert|update|remove|pop|put|join|write|info|warning|warn|error|debug|format|(?:is|has|can|should|set|get|add|log|check|assert|register|save|load|init|print|update|remove|del|run|wait|send|find|make|create|build|count|num)_\w+|\w+_(?:enabled|available|exists|context|ctx)|[A-Z]\w*(?:Error|Warning|Exception))");
  return RE2::FullMatch(name, words);
}

/// Whether a node is the name of something that an import of its file binds.
bool is_imported(Node name) {
  if (name.kind() != "identifier" || name.text() == "self") return false;
  std::vector<ScopeName> all = names_in_scope(name);
  return std::any_of(all.begin(), all.end(), [&](const ScopeName& one) {
    return one.origin == ScopeName::Origin::kImport && one.text == name.text();
  });
}

/// What stands around an equal expression: `before`E`after`.
struct Form {
  std::string before, after;
};

/// The form in which a call or brackets directly around a node give it; nothing for others.
std::optional<Form> form_around(Node node) {
  Node parent = node.parent(), whole;
  if (parent.kind() == "list" && parent.named_child_count() == 1) {
    // `x[[i]]` and `[E]` alone on the right.
    if (!parent.parent().is({"argument_list", "assignment", "keyword_argument"})) return {};
    whole = parent;
  } else if (parent.kind() == "argument_list" && parent.parent().kind() == "call") {
    whole = parent.parent();
    std::vector<Node> arguments = parent.named_children();
    if (arguments.empty() || !(arguments.front() == node)) return {};
    if (is_no_form(called_name(whole))) return {};
    Node callee = whole.field("function");
    bool of_module = callee.kind() == "attribute" && is_imported(callee.field("object"));
    if (callee.kind() != "identifier" && !of_module) return {};
  } else if (parent.kind() == "attribute" && parent.field("object") == node &&
             parent.parent().kind() == "call" && parent.parent().field("function") == parent) {
    whole = parent.parent();
    if (!is_conversion_method(parent.field("attribute").text())) return {};
  } else {
    return {};
  }
  // A call whose result is dropped does something else.
  if (whole.parent().kind() == "expression_statement" || whole.text().size() > 160) return {};
  std::size_t at = node.range().start - whole.range().start;
  std::string_view text = whole.text();
  return Form{std::string(text.substr(0, at)), std::string(text.substr(at + node.range().size()))};
}

/// The part of an expression by which its likes are found: of `x.view(-1, 1)` what is behind the
/// name, of others all.
std::string_view key_of(Node node, bool& any_object) {
  Node callee = node.kind() == "call" ? node.field("function") : Node();
  Node object = callee.kind() == "attribute" ? callee.field("object") : Node();
  any_object = object.kind() == "identifier" && object.text() != "self" &&
               node.field("arguments").named_child_count() > 0 && node.text().size() > 8;
  return any_object ? node.text().substr(object.range().end - node.range().start) : node.text();
}

bool is_part_of_name(char c) {
  return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c));
}

/// Nodes of the file, of the same kind, with the same text (for calls on a name: on any name).
std::vector<Node> likes_of(Node node, std::size_t most) {
  bool any_object = false;
  std::string_view key = key_of(node, any_object), text = node.file()->text();
  std::vector<Node> likes;
  for (std::size_t at = text.find(key); at != std::string_view::npos && likes.size() < most;
       at = text.find(key, at + key.size())) {
    Range range{std::uint32_t(at), std::uint32_t(at + key.size())};
    if (node.range().contains(range)) continue;
    bool cut = !any_object && at > 0 && is_part_of_name(text[at - 1]);
    if (cut || (range.end < text.size() && is_part_of_name(key.back()) &&
                is_part_of_name(text[range.end]) && text[range.end] != '.'))
      continue;
    Node like = node.file()->node_at(range);
    bool whole = any_object ? like.range().end == range.end &&
                                  like.field("function").field("object").range().end == range.start
                            : like.range() == range;
    if (whole && like.kind() == node.kind()) likes.push_back(like);
  }
  return likes;
}

/// Whether a name is a parameter of its function.
bool is_parameter(Node name) {
  std::vector<ParameterSyntax> all = parameters_of(enclosing_function(name));
  return std::any_of(all.begin(), all.end(),
                     [&](const ParameterSyntax& one) { return one.name == name.text(); });
}

std::string_view function_name(Node node) { return enclosing_function(node).field("name").text(); }

/// Whether the expression is what a conversion converts, or the same call with other defaults.
bool is_same_source(Node converted, Node node) {
  if (converted.text() == node.text()) return true;
  if (converted.kind() != "call" || node.kind() != "call" ||
      converted.field("function").text() != node.field("function").text())
    return false;
  std::vector<Node> a = positional_arguments(converted), b = positional_arguments(node);
  return !a.empty() && !b.empty() && a.front().text() == b.front().text() &&
         a.front().kind() == "string";
}

/// Whether a value is a converted form of what the node is.
bool converts(Node value, Node node) {
  if (value.kind() == "boolean_operator") {
    bool fallback = value.field("operator").text() == "or";
    return fallback && is_same_source(value.field("left"), node);
  }
  if (value.kind() == "conditional_expression")
    return value.named_child_count() > 0 && converts(value.named_child(0), node);
  if (value.kind() != "call") return false;
  Node callee = value.field("function");
  if (callee.kind() == "attribute" && is_conversion_method(callee.field("attribute").text())) {
    // A copy is made to leave the other as it is.
    bool copy = contains({"copy", "clone", "detach"}, callee.field("attribute").text());
    return !copy && is_same_source(callee.field("object"), node);
  }
  std::vector<Node> arguments = positional_arguments(value);
  return is_conversion(called_name(value)) && arguments.size() == 1 &&
         (is_same_source(arguments.front(), node) || converts(arguments.front(), node));
}

/// The call of a method in a term (`list(x.first(a))`); null when there is none.
Node method_call_in(Node term) {
  Node found;
  walk(term, [&](Node node) {
    bool method = node.kind() == "call" && node.field("function").kind() == "attribute";
    if (method) found = node;
    return true;
  });
  return found;
}

/// A term with another method of the object called.
std::string term_with(Node term, Node call, std::string_view method, std::string_view arguments) {
  std::string text(term.text());
  Node name = call.field("function").field("attribute"), list = call.field("arguments");
  text.replace(list.range().start - term.range().start, list.range().size(), arguments);
  text.replace(name.range().start - term.range().start, name.range().size(), method);
  return text;
}

}  // namespace

/// Names that hold the matched expression in another form (`n = int(E)`), set by a statement that
/// always runs before.
std::vector<Ingredient> converted_names(const Match& match, const Arguments&) {
  Node node = match.node;
  Basket basket;
  double weight = 0.9;
  Node statement = enclosing_statement(node);
  while (statement) {
    for (Node before = statement.previous_named_sibling(); before;
         before = before.previous_named_sibling()) {
      Node assignment = before.kind() == "expression_statement" ? before.named_child(0) : Node();
      if (assignment.kind() != "assignment" || assignment.field("left").kind() != "identifier")
        continue;
      std::string_view name = assignment.field("left").text();
      bool itself = node.text() == name || !reads_of(node, name).empty();
      if (!itself && converts(assignment.field("right"), node))
        basket.add(std::string(name), weight), weight *= 0.7;
    }
    Node block = statement.parent();
    if (block.kind() != "block" || block.parent().is({"function_definition", "class_definition"}))
      break;
    statement = enclosing_statement(block.parent());
  }
  return basket.take();
}

/// One more term for a sum of terms that call methods of one object: the method of the object whose
/// name has the first word and the number of words of theirs.
std::vector<Ingredient> kindred_terms(const Match& match, const Arguments&) {
  Node sum = match.node, left = sum.field("left"), last = sum.field("right");
  if (left.kind() == sum.kind()) left = left.field("right");
  Node a = method_call_in(left), b = method_call_in(last);
  if (!a || !b) return {};
  Node object = a.field("function").field("object");
  std::string_view first = a.field("function").field("attribute").text(),
                   second = b.field("function").field("attribute").text();
  if (object.text() != b.field("function").field("object").text() || first == second) return {};
  bool alike = term_with(left, a, "m", "()") == term_with(last, b, "m", "()");
  std::vector<std::string> words = word_parts(first), others = word_parts(second);
  if (!alike || words.size() < 2 || others.size() != words.size() || words[0] != others[0])
    return {};
  std::map<std::string, double> members;
  for (std::string& name : members_of_expression(match, object.text()))
    members.emplace(std::move(name), 0.7);
  // What other code calls on something.
  const double called = members.empty() ? 0.5 : 0.3;
  for_each_of(match.file.root(), {"attribute"}, [&](Node node) {
    if (node.parent().kind() == "call") members.emplace(node.field("attribute").text(), called);
  });
  Basket basket;
  for (const auto& [member, weight] : members) {
    std::vector<std::string> parts = word_parts(member);
    if (parts.size() != words.size() || parts[0] != words[0] || member.front() == '_' ||
        mentions_word(sum.text(), member))
      continue;
    for (Node call : {a, b}) {
      Node list = call.field("arguments");
      bool plain = list.named_child_count() == 0;
      basket.add(term_with(last, b, member, list.text()), plain ? weight * 0.8 : weight);
    }
  }
  return basket.take();
}

/// The matched expression wrapped as equal expressions of the file are (a call on a name: as the
/// same call on other names): `f(E, x)`, `E.m()`, `[E]`.
std::vector<Ingredient> wrappings(const Match& match, const Arguments&) {
  Node node = match.node;
  std::optional<Form> own = form_around(node);
  bool plain = node.kind() == "identifier";
  if (plain && (node.text().size() < 3 || node.text() == "self" || !is_parameter(node))) return {};
  std::vector<Node> likes = likes_of(node, 60);
  if (likes.empty()) return {};
  std::set<std::string> names = usable_names(node);
  std::string_view function = function_name(node);
  struct Use {
    double times = 0;
    bool same_function = false;
  };
  std::map<std::string, Use> uses;
  double bare = 0;
  bool any_object = false;
  key_of(node, any_object);
  for (Node like : likes) {
    // Names that are bound or called, not read.
    bool bound = like.parent().is({"parameters", "default_parameter", "typed_parameter",
                                   "typed_default_parameter", "lambda_parameters"}) ||
                 like.parent().field("function") == like || like.parent().field("left") == like ||
                 like.parent().field("name") == like;
    if (bound) continue;
    std::optional<Form> form = form_around(like);
    // The same name may be another thing: only a conversion of parameters counts.
    if (plain && !is_parameter(like)) continue;
    bool telling = !plain || (form && (is_conversion(called_name(like.parent().parent())) ||
                                       like.parent().kind() == "attribute"));
    if (!form || !telling) {
      bare += 1;
      continue;
    }
    Node whole = like.parent().kind() == "list" ? like.parent() : like.parent().parent();
    bool same = own && own->before == form->before && own->after == form->after;
    if (same || !is_usable(whole, names)) {
      // On another name: what remains of the form has to be usable.
      bool rest = any_object && !same && is_usable(whole.field("function"), names);
      if (rest && whole.kind() == "call") {
        std::vector<Node> arguments = whole.field("arguments").named_children();
        for (Node argument : arguments) rest &= argument == like || is_usable(argument, names);
      }
      if (!rest) continue;
    }
    Use& use = uses[form->before + std::string(node.text()) + form->after];
    use.times += 1;
    use.same_function |= !function.empty() && function_name(like) == function;
  }
  Basket basket;
  for (const auto& [text, use] : uses) {
    double share = use.times / (use.times + bare);
    if (share < 0.34) continue;
    double weight = (plain ? 0.3 : 0.75) * (0.25 + 0.75 * share);
    if (any_object) weight *= 0.9;
    if (use.same_function) weight = std::min(0.95, weight * 1.3);
    // Form of an own form: `f(f(x))` is none.
    std::string_view callee = std::string_view(text).substr(0, text.find('('));
    if (own && own->before.starts_with(callee)) continue;
    basket.add(text, weight);
  }
  return basket.take();
}

}  // namespace suture
