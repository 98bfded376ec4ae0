#include "repair/propose/arity.h"

#include <algorithm>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/lookups.h"
#include "repair/propose/operator.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

std::vector<std::string> texts_of(const std::vector<Node>& nodes) {
  std::vector<std::string> texts;
  for (Node node : nodes) texts.emplace_back(node.text());
  return texts;
}

/// The assignment (`a, b = f()`) that was running in the innermost frame of the tree.
Node failing_assignment(const Match& match) {
  const LiveException* failure = match.input.evidence.failure();
  if (failure == nullptr) return {};
  for (auto frame = failure->frames.rbegin(); frame != failure->frames.rend(); ++frame) {
    if (!frame->in_tree) continue;
    const SourceFile* file = match.input.tree.source(frame->file);
    if (file == nullptr) return {};
    return innermost_on_line(*file, frame->at.line, [](Node node) {
      return node.kind() == "assignment" && node.field("left").kind() == "pattern_list";
    });
  }
  return {};
}

}  // namespace

std::vector<Ingredient> unpack_targets(const Match& match, const Arguments& arguments) {
  Node left = anchor(match, arguments.one("left"));
  if (!left) return {};
  std::vector<Node> nodes = left.named_children();
  std::vector<std::string> names = texts_of(nodes);
  bool starred = std::any_of(nodes.begin(), nodes.end(),
                             [](Node node) { return node.kind() == "list_splat_pattern"; });
  if (names.size() < 2 || starred) return {};
  Basket basket;
  if (text_of(match, arguments, "kind") == "too many") {
    std::string all = join(names, ", ");
    basket.add(all + ", *_", 1);
    basket.add("_, " + all, 0.7);
    basket.add(names.front() + ", *_, " + names.back(), names.size() == 2 ? 0.4 : 0.1);
    return basket.take();
  }
  // Not enough: without a target that nothing reads.
  Node function = enclosing_function(left);
  Node scope = function ? function : match.file.root();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "_" && occurs_from(scope, left.range().end, names[i])) continue;
    std::vector<std::string> rest = names;
    rest.erase(rest.begin() + std::ptrdiff_t(i));
    basket.add(rest.size() == 1 ? "(" + rest.front() + ",)" : join(rest, ", "),
               1 - 0.1 * double(i));
  }
  return basket.take();
}

std::vector<Ingredient> wanted_returns(const Match& match, const Arguments&) {
  Node assignment = failing_assignment(match), function = enclosing_function(match.node);
  Node right = assignment.field("right");
  if (!assignment || !function || right.kind() != "call" ||
      called_name(right) != function.field("name").text())
    return {};
  std::vector<std::string> targets = texts_of(assignment.field("left").named_children());
  Node value = match.node.named_child(0);
  std::vector<std::string> given = value.is({"expression_list", "tuple"})
                                       ? texts_of(value.named_children())
                                       : std::vector<std::string>{std::string(value.text())};
  if (given.size() + 1 != targets.size()) return {};
  Basket basket;
  auto offer = [&](std::size_t at, const std::string& code, double weight) {
    std::vector<std::string> all = given;
    all.insert(all.begin() + std::ptrdiff_t(at), code);
    basket.add(join(all, ", "), weight);
  };
  for (std::size_t i = 0; i < targets.size(); ++i) {
    std::string bare = targets[i].substr(targets[i].rfind('.') + 1);
    if (contains(given, bare) || contains(given, targets[i])) continue;
    if (is_in_scope(match.node, bare)) offer(i, bare, 1);
  }
  offer(given.size(), "None", 0.5);
  return basket.take();
}

std::vector<Ingredient> walked_once(const Match& match, const Arguments&) {
  static const std::vector<std::string> kinds = {"generator",      "map",
                                                 "filter",         "zip",
                                                 "islice",         "chain",
                                                 "reversed",       "list_iterator",
                                                 "tuple_iterator", "dict_keyiterator"};
  Basket basket;
  for (const ParameterSyntax& parameter : parameters_of(match.node)) {
    if (!parameter.prefix.empty()) continue;
    const Value* value = observed(match, parameter.name);
    const CalledFunction* call =
        match.input.evidence.function_at(match.file.path(), match.node.line());
    if (value == nullptr && call != nullptr) value = lookup(call->arguments, parameter.name);
    if (value != nullptr && contains(kinds, value->type)) basket.add(parameter.name, 1);
  }
  return basket.take();
}

}  // namespace suture
