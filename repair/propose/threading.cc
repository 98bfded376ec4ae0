#include "repair/propose/threading.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/call_arguments.h"
#include "repair/propose/lookups.h"
#include "repair/syntax/builtins.h"

namespace suture {
namespace {

/// A name that is used at more places than this is not renamed.
constexpr std::size_t kMostRenamedUses = 8;
/// So alike must the name of a definition be to the name that its users write.
constexpr double kAlike = 0.55;

/// The best of the values that answers to a name; empty when there is none.
std::string value_named(const std::vector<ValueSource>& values, std::string_view name) {
  const ValueSource* best = nullptr;
  for (const ValueSource& source : values) {
    bool better = source.name == name && (best == nullptr || source.weight > best->weight);
    if (better) best = &source;
  }
  return best == nullptr ? "" : best->code;
}

bool names_the_definition(Node node) {
  return node.parent().is({"function_definition", "class_definition"}) &&
         node.parent().field("name") == node;
}

/// Where the tree writes a name, definitions of it and keywords left out.
std::vector<Node> uses_of(SourceTree& tree, const std::string& name) {
  std::vector<Node> uses;
  for (const std::string& path : tree.files_mentioning(name)) {
    const SourceFile* file = tree.source(path);
    if (file == nullptr) continue;
    for_each_of(file->root(), {"identifier"}, [&](Node node) {
      if (node.text() != name || names_the_definition(node)) return;
      Node parent = node.parent();
      bool keyword = parent.kind() == "keyword_argument" && parent.field("name") == node;
      if (!keyword) uses.push_back(node);
    });
  }
  return uses;
}

}  // namespace

/// Parameters with a default that a call leaves to it, for which its function has no value, but the
/// function that called that one does.
std::vector<Ingredient> threadable_names(const Match& match, const Arguments&) {
  Node call = call_at(match.node), function = enclosing_function(match.node);
  Node outer = call && function ? anchor(match, "call_site") : Node();
  auto callee = outer ? callee_parameters(match, call) : std::nullopt;
  if (!callee) return {};
  std::vector<std::string> given = keywords_of(call), left_out;
  for (std::size_t i = positional_arguments(call).size(); i < callee->parameters.size(); ++i) {
    const Parameter& parameter = callee->parameters[i];
    if (parameter.has_default && !contains(given, parameter.name))
      left_out.push_back(parameter.name);
  }
  if (left_out.empty()) return {};
  std::vector<ValueSource> theirs = values_around(outer), own;
  Basket basket;
  for (const std::string& name : left_out) {
    std::string value = value_named(theirs, name);
    if (value.empty()) continue;
    if (own.empty()) own = values_around(call);
    if (value_named(own, name).empty()) basket.add(name, value == name ? 1 : 0.7);
  }
  return basket.take();
}

/// Calls in the matched function that may take whatever keyword it is given: those of functions
/// with
/// **kwargs, and of unknown ones that it hands its own parameters.
std::vector<Ingredient> open_calls(const Match& match, const Arguments&) {
  std::vector<ParameterSyntax> own = parameters_of(match.node);
  std::vector<Ingredient> calls;
  walk(match.node.field("body"), [&](Node node) {
    bool builtin = node.field("function").kind() == "identifier" && is_builtin(called_name(node));
    if (node.kind() != "call" || builtin) return true;
    Node arguments = node.field("arguments");
    bool splat = std::ranges::any_of(arguments.named_children(), [](const Node& argument) {
      return argument.kind() == "dictionary_splat";
    });
    bool hands_on = std::ranges::any_of(own, [&](const ParameterSyntax& parameter) {
      return parameter.name != "self" && mentions_word(arguments.text(), parameter.name);
    });
    auto callee = callee_parameters(match, node);
    bool base = called_name(node) == match.node.field("name").text();
    double weight = callee && callee->any_keyword ? 1
                    : callee                      ? 0
                    : hands_on                    ? 0.6
                    : base                        ? 0.4
                                                  : 0;
    if (!splat && weight > 0) calls.push_back({std::string(node.text()), weight, node});
    return true;
  });
  std::ranges::stable_sort(calls, std::ranges::greater(), &Ingredient::weight);
  return calls;
}

/// Whether a definition's name is like the name that others ask for, and fewer use it than that.
Truth stale_definition(const Match& match, const Arguments& arguments) {
  Node name = match.node.field("name");
  std::string wanted = text_of(match, arguments, "name"), own(name.text());
  bool special = own.starts_with("__") || wanted.starts_with("__");
  if (!name || own == wanted || special || name_similarity(own, wanted) < kAlike)
    return Truth::kFalse;
  SourceTree& tree = match.input.tree;
  std::size_t stale = uses_of(tree, own).size();
  // Where several define it, each for its own users, nobody can tell whose the uses are.
  bool shared = stale > 0 && tree.definitions(own).size() > 1;
  return truth(!shared && stale <= kMostRenamedUses && uses_of(tree, wanted).size() > stale);
}

/// Passes the caller's value of a name at the call that led here.
bool pass_from_caller(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  std::string name = text_of(match, arguments, "pass_from_caller");
  Node call = anchor(match, "call_site");
  if (!call || contains(keywords_of(call), name)) return false;
  std::string value = value_named(values_around(call), name);
  if (value.empty()) return false;
  edits[call.file()->path()].push_back(
      add_keyword_argument(call, fmt::format("{}={}", name, value)));
  return true;
}

/// Gives a definition another name, at all its uses too.
bool rename_definition(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node name = anchor(match, arguments.one("rename_definition")).field("name");
  std::string wanted = text_of(match, arguments, "to");
  if (!name || !is_identifier(wanted)) return false;
  edits[match.file.path()].push_back({name.range(), wanted});
  for (Node use : uses_of(match.input.tree, std::string(name.text())))
    edits[use.file()->path()].push_back({use.range(), wanted});
  return true;
}

}  // namespace suture
