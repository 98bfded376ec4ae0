#include "repair/refute/call_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "repair/refute/expected_errors.h"

namespace suture {
namespace {

/// What a call passes, values aside.
struct Passed {
  std::string callee;  ///< as written
  int positional = 0;
  std::vector<std::string> keywords;
  bool starred = false;         ///< *x: more by position
  bool doubly_starred = false;  ///< **x: more by name
  auto operator<=>(const Passed&) const = default;
};

Passed passed_by(Node call) {
  Passed passed;
  passed.callee = call.field("function").text();
  Node arguments = call.field("arguments");
  if (!arguments.is({"argument_list"})) {  // f(x for x in y)
    passed.positional = 1;
    return passed;
  }
  for (Node argument : arguments.named_children()) {
    if (argument.is({"keyword_argument"})) {
      passed.keywords.emplace_back(argument.field("name").text());
    } else if (argument.is({"dictionary_splat"})) {
      passed.doubly_starred = true;
    } else if (argument.is({"list_splat"})) {
      passed.starred = true;
    } else {
      ++passed.positional;
    }
  }
  std::sort(passed.keywords.begin(), passed.keywords.end());
  return passed;
}

/// How Python would say that a call cannot be bound; nothing when it can, or may.
std::optional<std::string> binding_error(const Passed& passed,
                                         const std::vector<ParameterSyntax>& parameters) {
  std::vector<const ParameterSyntax*> by_position, by_name;
  bool any_position = false, any_name = false;
  for (const ParameterSyntax& parameter : parameters) {
    any_position = any_position || parameter.prefix == "*";
    any_name = any_name || parameter.prefix == "**";
    if (!parameter.prefix.empty()) continue;
    by_name.push_back(&parameter);
    if (!parameter.keyword_only) by_position.push_back(&parameter);
  }
  auto given = std::size_t(passed.positional);
  if (given > by_position.size() && !any_position)
    return fmt::format("takes {} by position, not {}", by_position.size(), given);
  for (const std::string& keyword : passed.keywords) {
    auto at = std::ranges::find(by_name, keyword, [](auto* each) { return each->name; });
    if (at == by_name.end() && !any_name) return fmt::format("has no parameter `{}`", keyword);
    auto filled = std::ranges::find(by_position, keyword, [](auto* each) { return each->name; });
    if (std::size_t(filled - by_position.begin()) < given && filled != by_position.end())
      return fmt::format("gets `{}` twice", keyword);
  }
  for (const ParameterSyntax* parameter : by_name) {
    if (parameter->has_default || passed.doubly_starred) continue;
    if (passed.starred && !parameter->keyword_only) continue;
    auto at = std::ranges::find(by_position, parameter);
    bool filled = std::size_t(at - by_position.begin()) < given && at != by_position.end();
    bool named = std::ranges::find(passed.keywords, parameter->name) != passed.keywords.end();
    if (!filled && !named) return fmt::format("needs `{}`", parameter->name);
  }
  return std::nullopt;
}

/// What the calls at the edited places passed before the change.
std::set<Passed> passed_before(const EditedFile& file) {
  std::set<Passed> before;
  walk(file.before->root(), [&](Node node) {
    Range range = node.range();
    bool near = std::ranges::any_of(file.edits, [&](const Edit& edit) {
      return edit.range.start <= range.end && range.start <= edit.range.end;
    });
    if (near && node.is({"call"})) before.insert(passed_by(node));
    return near;
  });
  return before;
}

}  // namespace

std::optional<std::string> call_error(const std::string& path, const EditedTree& edited,
                                      CalleeFinder& callees) {
  const EditedFile& file = edited.edited().at(path);
  std::vector<Node> calls;
  walk(file.after->root(), [&](Node node) {
    if (!file.touches(node)) return false;
    if (node.is({"call"})) calls.push_back(node);
    return true;
  });
  if (calls.empty()) return std::nullopt;
  std::set<Passed> before = passed_before(file);
  for (Node call : calls) {
    Passed passed = passed_by(call);
    if (before.count(passed) > 0) continue;
    auto callee = callees.find(edited, path, call);
    if (!callee) continue;
    auto error = binding_error(passed, callee->parameters);
    if (!error || is_error_expected(call, "TypeError")) continue;
    return fmt::format("line {} calls `{}`, which {}", call.line(), callee->name, *error);
  }
  return std::nullopt;
}

}  // namespace suture
