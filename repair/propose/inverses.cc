#include "repair/propose/inverses.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/operator.h"
#include "repair/syntax/layout.h"

namespace suture {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// Words of names of functions that undo each other.
constexpr std::array kDeeds = {
    Pair{"merge", "unmerge"},
    Pair{"pack", "unpack"},
    Pair{"encode", "decode"},
    Pair{"push", "pop"},
    Pair{"scale", "unscale"},
    Pair{"shift", "unshift"},
    Pair{"add", "remove"},
    Pair{"attach", "detach"},
    Pair{"enter", "exit"},
    Pair{"enable", "disable"},
    Pair{"acquire", "release"},
    Pair{"register", "unregister"},
    Pair{"load", "unload"},
    Pair{"fuse", "unfuse"},
    Pair{"wrap", "unwrap"},
    Pair{"quantize", "dequantize"},
    Pair{"normalize", "denormalize"},
    Pair{"open", "close"},
    Pair{"start", "stop"},
    Pair{"lock", "unlock"},
    Pair{"insert", "delete"},
    Pair{"apply", "revert"},
    Pair{"apply", "undo"},
    Pair{"compress", "decompress"},
    Pair{"flatten", "unflatten"},
    Pair{"freeze", "unfreeze"},
    Pair{"increment", "decrement"},
    Pair{"forward", "backward"},
    Pair{"pad", "unpad"},
    Pair{"permute", "unpermute"},
    Pair{"save", "restore"},
    Pair{"store", "restore"},
    Pair{"increase", "decrease"},
    Pair{"encrypt", "decrypt"},
    Pair{"rotate", "unrotate"},
    Pair{"deposit", "withdraw"},
};

/// Operators and calls that undo each other.
constexpr std::array kOperations = {
    Pair{"+", "-"},
    Pair{"*", "/"},
    Pair{"+=", "-="},
    Pair{"*=", "/="},
    Pair{"<<", ">>"},
    Pair{"add", "sub"},
    Pair{"add_", "sub_"},
    Pair{"mul", "div"},
    Pair{"mul_", "div_"},
    Pair{"multiply", "divide"},
    Pair{"add", "subtract"},
    Pair{"append", "remove"},
    Pair{"add", "remove"},
    Pair{"add", "discard"},
    Pair{"append", "pop"},
    Pair{"push", "pop"},
    Pair{"enable", "disable"},
    Pair{"acquire", "release"},
    Pair{"attach", "detach"},
    Pair{"exp", "log"},
    Pair{"encode", "decode"},
    Pair{"dumps", "loads"},
    Pair{"dump", "load"},
    Pair{"register", "unregister"},
    Pair{"pack", "unpack"},
    Pair{"squeeze", "unsqueeze"},
    Pair{"start", "stop"},
};

/// Names that the function which undoes `name` (or is undone by it) may have.
std::vector<std::string> twin_names(std::string_view name) {
  std::vector<std::string> names;
  std::string whole(name);
  auto part_at = [&](std::string_view word) {
    // A part of the name, not a piece of a word: "pop" in "pop_all", not in "populate".
    for (std::size_t at = whole.find(word); at != std::string::npos;
         at = whole.find(word, at + 1)) {
      std::size_t end = at + word.size();
      if ((at == 0 || whole[at - 1] == '_') && (end == whole.size() || whole[end] == '_'))
        return at;
    }
    return std::string::npos;
  };
  for (auto [a, b] : kDeeds) {
    for (auto [from, to] : {Pair{a, b}, Pair{b, a}}) {
      std::size_t at = part_at(from);
      if (at != std::string::npos)
        names.push_back(whole.substr(0, at) + std::string(to) + whole.substr(at + from.size()));
    }
  }
  return names;
}

/// The functions of the match's class (else its file) that stand for the other direction.
std::vector<Node> twins_of(const Match& match) {
  Node function = enclosing_function(match.node);
  if (!function) return {};
  std::vector<std::string> names = twin_names(function.field("name").text());
  if (names.empty()) return {};
  Node cls = enclosing_class(function);
  std::vector<Node> twins;
  walk(cls ? cls : match.file.root(), [&](Node node) {
    if (node.kind() != "function_definition") return true;
    if (contains(names, node.field("name").text()) && enclosing_class(node) == cls)
      twins.push_back(node);
    return false;
  });
  return twins;
}

}  // namespace

std::vector<Ingredient> inverse_operations(const Match& match, const Arguments& arguments) {
  std::string operation = text_of(match, arguments, "of");
  std::set<std::string_view> inverses;
  for (auto [a, b] : kOperations) {
    if (operation == a) inverses.insert(b);
    if (operation == b) inverses.insert(a);
  }
  if (inverses.empty()) return {};
  std::string own = without_blanks(match.node.text());
  double weight = 0;
  for (Node twin : twins_of(match)) {
    walk(twin.field("body"), [&](Node node) {
      if (node.kind() != match.node.kind()) return true;
      bool same_target = node.field("left") && match.node.field("left") &&
                         node.field("left").text() == match.node.field("left").text() &&
                         node.field("operator").text() == operation;
      if (without_blanks(node.text()) == own)
        weight = 1;
      else if (same_target)
        weight = std::max(weight, 0.4);
      return true;
    });
  }
  if (weight == 0) return {};
  Basket basket;
  for (std::string_view inverse : inverses) basket.add(std::string(inverse), weight);
  return basket.take();
}

}  // namespace suture
