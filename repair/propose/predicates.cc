#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/call_arguments.h"
#include "repair/propose/conditions.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/lookups.h"
#include "repair/propose/operator.h"
#include "repair/propose/plain_defects.h"
#include "repair/propose/predicate.h"
#include "repair/propose/stand_ins.h"
#include "repair/propose/statements.h"
#include "repair/propose/threading.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

/// The node that an argument names: a captured node or an anchor; null when it has none.
Node node_of(const Match& match, const Arguments& arguments, std::string_view name) {
  return anchor(match, arguments.one(name, "match"));
}

Truth observed_type(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "hole"));
  if (value == nullptr) return Truth::kUnknown;
  if (arguments.has("type")) return truth(contains(arguments.all("type"), value->type));
  if (arguments.has("not")) return truth(!contains(arguments.all("not"), value->type));
  return Truth::kTrue;
}

Truth observed_empty(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "hole"));
  if (value == nullptr || !value->length) return Truth::kUnknown;
  return truth(*value->length == 0);
}

/// Whether the run showed a number: an int, a float, a tensor or array without dimensions, or the
/// sum, difference or product of such.
bool is_number(const Match& match, Node node) {
  if (node.is({"integer", "float"})) return true;
  if (node.kind() == "binary_operator")
    return is_number(match, node.field("left")) && is_number(match, node.field("right"));
  const Value* value = observed(match, node.text());
  if (value == nullptr) return false;
  bool scalar = !value->dtype.empty() && value->shape.empty();
  return value->type == "int" || value->type == "float" || scalar;
}

Truth observed_number(const Match& match, const Arguments& arguments) {
  Node node = node_of(match, arguments, "hole");
  return truth(node && is_number(match, node));
}

Truth guarded(const Match& match, const Arguments& arguments) {
  static const std::map<std::string, GuardKind> kinds = {{"none_check", GuardKind::kNone},
                                                         {"truth", GuardKind::kTruth},
                                                         {"hasattr", GuardKind::kHasattr},
                                                         {"isinstance", GuardKind::kIsinstance},
                                                         {"membership", GuardKind::kMembership}};
  auto guards = guards_on(match.node, text_of(match, arguments, "hole"));
  if (!arguments.has("by")) return truth(!guards.empty());
  for (const std::string& word : arguments.all("by")) {
    auto kind = kinds.find(word);
    if (kind != kinds.end() &&
        std::find(guards.begin(), guards.end(), kind->second) != guards.end()) {
      return Truth::kTrue;
    }
  }
  return Truth::kFalse;
}

Truth kind(const Match& match, const Arguments& arguments) {
  Node node = node_of(match, arguments, "hole");
  return truth(node && contains(arguments.all("any"), node.kind()));
}

/// Compiled once a thread: patterns have a few hundred, and each is asked at thousands of nodes.
const RE2& compiled(const std::string& regex) {
  thread_local std::unordered_map<std::string, std::unique_ptr<RE2>> known;
  auto& entry = known[regex];
  if (entry == nullptr) entry = std::make_unique<RE2>(regex, RE2::Quiet);
  return *entry;
}

Truth matches(const Match& match, const Arguments& arguments) {
  return truth(RE2::FullMatch(text_of(match, arguments, "hole"), compiled(arguments.one("regex"))));
}

Truth function_named(const Match& match, const Arguments& arguments) {
  std::string name(enclosing_function(match.node).field("name").text());
  return truth(RE2::FullMatch(name, compiled(arguments.one("regex"))));
}

Truth inside(const Match& match, const Arguments& arguments) {
  for (Node node = match.node.parent(); node; node = node.parent()) {
    if (contains(arguments.all("kinds"), node.kind())) return Truth::kTrue;
    // Lambdas and nested functions are a world of their own unless asked for.
    if (node.kind() == "function_definition") return Truth::kFalse;
  }
  return Truth::kFalse;
}

Truth parent_is(const Match& match, const Arguments& arguments) {
  Node node = node_of(match, arguments, "hole");
  return truth(node && contains(arguments.all("kinds"), node.parent().kind()));
}

/// Whether the hole's node is the given field of its parent.
Truth is_field(const Match& match, const Arguments& arguments) {
  Node node = node_of(match, arguments, "hole");
  return truth(node && node.parent() && node.parent().field(arguments.one("field")) == node);
}

Truth same(const Match& match, const Arguments& arguments) {
  return truth(text_of(match, arguments, "a") == text_of(match, arguments, "b"));
}

Truth mentions(const Match& match, const Arguments& arguments) {
  return truth(mentions_word(text_of(match, arguments, "text"), text_of(match, arguments, "word")));
}

Truth in_message(const Match& match, const Arguments& arguments) {
  return mentions_word(match.input.failure.message, text_of(match, arguments, "hole"))
             ? Truth::kTrue
             : Truth::kUnknown;
}

Truth in_check(const Match& match, const Arguments& arguments) {
  return mentions_word(match.input.check_text, text_of(match, arguments, "hole")) ? Truth::kTrue
                                                                                  : Truth::kUnknown;
}

Truth is_parameter(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "hole");
  Node function = enclosing_function(match.node);
  if (!function) return Truth::kFalse;
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    if (parameter.name == name) return Truth::kTrue;
  }
  return Truth::kFalse;
}

Truth in_scope(const Match& match, const Arguments& arguments) {
  return truth(is_in_scope(match.node, text_of(match, arguments, "hole")));
}

Truth member_of(const Match& match, const Arguments& arguments) {
  auto members = members_of_expression(match, text_of(match, arguments, "object"));
  if (members.empty()) return Truth::kUnknown;
  return truth(contains(members, text_of(match, arguments, "name")));
}

Truth installed(const Match& match, const Arguments& arguments) {
  return truth(match.input.installed.has_module(text_of(match, arguments, "module")));
}

Truth in_tree(const Match& match, const Arguments& arguments) {
  return truth(match.input.tree.file_of_module(text_of(match, arguments, "module")).has_value());
}

Truth defined_in_tree(const Match& match, const Arguments& arguments) {
  return truth(!match.input.tree.definitions(text_of(match, arguments, "name")).empty());
}

Truth callee_accepts(const Match& match, const Arguments& arguments) {
  Node call = call_at(node_of(match, arguments, "call"));
  if (!call) return Truth::kFalse;
  auto callee = callee_parameters(match, call);
  if (!callee) return Truth::kUnknown;
  std::string name = text_of(match, arguments, "name");
  bool named = std::any_of(callee->parameters.begin(), callee->parameters.end(),
                           [&](const Parameter& p) { return p.name == name; });
  return truth(named || callee->any_keyword);
}

Truth calls(const Match& match, const Arguments& arguments) {
  Node call = call_at(node_of(match, arguments, "call"));
  return truth(call && contains(arguments.all("any"), called_name(call)));
}

Truth has_keyword(const Match& match, const Arguments& arguments) {
  Node call = call_at(node_of(match, arguments, "call"));
  return truth(call && contains(keywords_of(call), text_of(match, arguments, "name")));
}

Truth executed(const Match& match, const Arguments& arguments) {
  if (match.input.evidence.empty()) return Truth::kUnknown;
  Node node = node_of(match, arguments, "hole");
  return truth(node && match.input.evidence.was_executed(match.file.path(), node.line()));
}

Truth has_node(const Match& match, const Arguments& arguments) {
  return truth(bool(node_of(match, arguments, "anchor")));
}

/// Whether a message's name for a function ("C.f", "f", "C.__init__") means the
/// function_definition.
Truth names(const Match& match, const Arguments& arguments) {
  std::string qualified = text_of(match, arguments, "qualified");
  if (auto at = qualified.rfind("<locals>."); at != std::string::npos)
    qualified = qualified.substr(at + 9);
  Node node = node_of(match, arguments, "hole");
  if (!node) return Truth::kFalse;
  std::string own = qualified_name(node);
  return truth(own == qualified || own.ends_with("." + qualified));
}

/// Whether a name is read in the function of the match after the match's statement.
Truth used_later(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "hole");
  Node function = enclosing_function(match.node);
  Node scope = function ? function : match.file.root();
  return truth(occurs_from(scope, enclosing_statement(match.node).range().end, name));
}

Truth returns_something(const Match& match, const Arguments& arguments) {
  Node function =
      arguments.has("of") ? anchor(match, arguments.one("of")) : enclosing_function(match.node);
  Node scope = function ? function : match.file.root();
  bool found = false;
  walk(scope, [&](Node node) {
    // What nested functions return is their own affair.
    if (node.is({"function_definition", "class_definition"}) && !(node == scope)) return false;
    if (node.kind() == "return_statement" && node.named_child_count() > 0) found = true;
    return !found;
  });
  return truth(found);
}

Signature takes(std::vector<std::string> required, std::vector<std::string> optional = {}) {
  return {std::move(required), std::move(optional)};
}

}  // namespace

const std::vector<Predicate>& predicates() {
  static const std::vector<Predicate> all = {
      {"around_failure", "the node spans a line of the failure's frames", takes({}, {"hole"}), 0.5,
       around_failure},
      {"at_module_level", "the module of the match binds the name", takes({"name"}), 0,
       at_module_level},
      {"attribute_of_class", "self has an attribute of that name", takes({"name"}), 0,
       attribute_of_class},
      {"bound_only_to",
       "all that the function binds the name to is of these kinds (or a call of these names)",
       takes({"hole", "kinds"}), 0, bound_only_to},
      {"branch_taken", "the body under the condition ran (of: match)", takes({}, {"of"}), 0.4,
       branch_taken},
      {"callee_accepts", "the called function has a parameter of that name or takes **kwargs",
       takes({"name"}, {"call"}), 0.5, callee_accepts},
      {"calls", "the call's function has one of these names", takes({"any"}, {"call"}), 0, calls},
      {"calls_named", "the call calls the function that a message names",
       takes({"qualified"}, {"call"}), 0.6, calls_named},
      {"changed_later",
       "the function (in: match, the matched loop; class, any method) goes on to change the object "
       "in "
       "place",
       takes({"hole"}, {"in"}), 0, changed_later},
      {"check_expects_exception", "the check wants an exception other than its own", takes({}), 0,
       check_expects_exception},
      {"check_mentions", "check or message hold one of the words", takes({"any"}), 0.2,
       check_mentions},
      {"crossed", "two arguments are named like each other's parameter", takes({"a", "b"}), 1.2,
       crossed},
      {"crosswise", "two assignments take what is named like the other's target", takes({"a", "b"}),
       0.8, crosswise},
      {"decides", "the node is a condition (as: whole), a part of one (operand), or either (any)",
       takes({}, {"hole", "as"}), 0, decides},
      {"decorated", "a decorator (with: of that name) stands on the definition",
       takes({}, {"with"}), 0, decorated},
      {"defined_in_tree", "something of that name is defined in the tree", takes({"name"}), 0,
       defined_in_tree},
      {"evaluates", "with the values of the run the code comes to this truth (to: true or false)",
       takes({"code", "to"}), 0.7, evaluates},
      {"executed", "the line ran in the traced run", takes({}, {"hole"}), 0.3, executed},
      {"falls_through", "the function ends behind the statement without a value", takes({}), 0,
       falls_through},
      {"function_named", "the match's function has a name that the whole regular expression fits",
       takes({"regex"}), 0.5, function_named},
      {"guarded",
       "a condition that dominates the match tests the expression (by: none_check, truth, hasattr, "
       "isinstance, membership)",
       takes({"hole"}, {"by"}), 0, guarded},
      {"fits_message", "the failure's message about None is about the matched operation", takes({}),
       0.5, fits_message},
      {"first_of_function", "the match is the first statement of its function", takes({}), 0,
       first_of_function},
      {"followed_by", "the next statement of the block fits the whole regular expression",
       takes({"regex"}), 0, followed_by},
      {"formats_names", "a plain string holds {name} for names that are there", takes({}, {"hole"}),
       0, formats_names},
      {"has_child", "the node has a child of one of these kinds", takes({"kinds"}, {"hole"}), 0,
       has_child},
      {"has_keyword", "the call passes that keyword", takes({"name"}, {"call"}), 0, has_keyword},
      {"has_move", "the facts know a new place for what the node names", takes({}, {"of"}), 0.3,
       has_move},
      {"has_node", "the anchor exists", takes({"anchor"}), 0, has_node},
      {"import_used", "something in the file reads a name that the import binds", takes({}, {"of"}),
       0, import_used},
      {"imports_module", "the import statement loads the module or something of it",
       takes({"name"}), 0.5, imports_module},
      {"in_check", "the check's text mentions it", takes({"hole"}), 0.7, in_check},
      {"in_condition", "the node lies in a condition, at any depth", takes({}, {"hole"}), 0,
       in_condition},
      {"in_message", "the failure's message mentions it", takes({"hole"}), 0.7, in_message},
      {"in_scope", "the name can be used at the match", takes({"hole"}), 0, in_scope},
      {"in_tree", "the tree provides the module", takes({"module"}), 0, in_tree},
      {"inside", "the match lies in a node of one of these kinds, within its function",
       takes({"kinds"}), 0, inside},
      {"installed", "the module is installed (or in the standard library)", takes({"module"}), 0,
       installed},
      {"is_field", "the node is that field of its parent", takes({"hole", "field"}), 0, is_field},
      {"is_module", "the match lies in the module of that name", takes({"name"}), 0.3, is_module},
      {"is_parameter", "it is a parameter of the match's function", takes({"hole"}), 0,
       is_parameter},
      {"kind", "the node is of one of these kinds", takes({"hole", "any"}), 0, kind},
      {"looks_numeric", "one of two operands is a number, none is seen to be something else",
       takes({"a", "b"}), 0, looks_numeric},
      {"known_module", "the tree or an installed package has the module", takes({"name"}), 0.5,
       known_module},
      {"matches", "the whole text matches the regular expression", takes({"hole", "regex"}), 0,
       matches},
      {"member_of", "the object has a member of that name", takes({"object", "name"}), 0.3,
       member_of},
      {"mentions", "the text holds the word", takes({"text", "word"}), 0, mentions},
      {"miscounted",
       "a text has another number of placeholders than values (style: log, percent or format)",
       takes({"style"}), 0, miscounted},
      {"misplaced", "a positional argument is named like another parameter than the one it fills",
       takes({}, {"argument"}), 0.8, misplaced},
      {"names", "the qualified name of a message means the function (hole: match)",
       takes({"qualified"}, {"hole"}), 0, names},
      {"observed",
       "the expression's value at run time has (type) or has not (not) one of these types",
       takes({"hole"}, {"type", "not"}), 1.0, observed_type},
      {"observed_empty", "the expression's value at run time is an empty container",
       takes({"hole"}), 1.0, observed_empty},
      {"observed_member", "the value seen at run time has a member of that name",
       takes({"object", "name"}), 0.8, observed_member},
      {"observed_number",
       "the run showed a number for the node: int, float, a tensor without dimensions",
       takes({}, {"hole"}), 0.7, observed_number},
      {"overrides", "a base class has a method of that name", takes({"name"}), 0.3, overrides},
      {"parent_is", "the node's parent is of one of these kinds", takes({"kinds"}, {"hole"}), 0,
       parent_is},
      {"parts_used", "code (in: match) takes an attribute or item of the expression, or calls it",
       takes({"hole"}, {"in"}), 0, parts_used},
      {"reads", "the node (of: match) reads the name", takes({"name"}, {"of"}), 0, reads},
      {"returns_something", "the match's function (of: a function) returns a value somewhere",
       takes({}, {"of"}), 0, returns_something},
      {"same", "both texts are equal", takes({"a", "b"}), 0, same},
      {"seen", "the run showed a value for the expression", takes({"hole"}), 0.3, seen},
      {"sets", "the matched statement binds the name (outermost: no branch or loop around it)",
       takes({"name"}, {"outermost"}), 0, sets},
      {"stands_for", "the expression means one of these paths by the file's imports",
       takes({"hole", "any"}), 0, stands_for},
      {"tests_part_of", "`test` is about something that `of` goes on to use", takes({"test", "of"}),
       0, tests_part_of},
      {"stale_definition", "the definition's name is like that one, which more places use",
       takes({"name"}), 0.5, stale_definition},
      {"statement_mentions", "the match's statement, its header only, holds the regular expression",
       takes({"regex"}), 0, statement_mentions},
      {"type_in_message", "the failure's message names the type that the expression had",
       takes({"hole"}), 0.7, type_in_message},
      {"unused_parameter", "it is a parameter of the match's function that nothing reads",
       takes({"hole"}), 0.5, unused_parameter},
      {"used_later", "the name occurs after the match's statement, in its function",
       takes({"hole"}), 0, used_later},
  };
  return all;
}

const Predicate* find_predicate(std::string_view name) {
  const auto& all = predicates();
  auto at =
      std::find_if(all.begin(), all.end(), [&](const Predicate& p) { return p.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace suture
