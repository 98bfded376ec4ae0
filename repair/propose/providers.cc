#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "repair/base/text.h"
#include "repair/propose/affixes.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/arity.h"
#include "repair/propose/basket.h"
#include "repair/propose/call_arguments.h"
#include "repair/propose/conditions.h"
#include "repair/propose/counterparts.h"
#include "repair/propose/guards.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/initialisers.h"
#include "repair/propose/inverses.h"
#include "repair/propose/lookups.h"
#include "repair/propose/numbers.h"
#include "repair/propose/operator.h"
#include "repair/propose/plain_defects.h"
#include "repair/propose/provider.h"
#include "repair/propose/stand_ins.h"
#include "repair/propose/statements.h"
#include "repair/propose/threading.h"
#include "repair/propose/wrappings.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

using Ingredients = std::vector<Ingredient>;

double origin_weight(ScopeName::Origin origin) {
  switch (origin) {
    case ScopeName::Origin::kParameter:
      return 0.9;
    case ScopeName::Origin::kLocal:
      return 1.0;
    case ScopeName::Origin::kLoop:
      return 0.9;
    case ScopeName::Origin::kEnclosing:
      return 0.6;
    case ScopeName::Origin::kModule:
      return 0.3;
    case ScopeName::Origin::kImport:
      return 0.15;
    case ScopeName::Origin::kBuiltin:
      return 0.05;
  }
  return 0.1;
}

Ingredients literal(const Match&, const Arguments& arguments) {
  Ingredients all;
  double weight = 1;
  for (const std::string& text : arguments.all("values")) {
    all.push_back({text, weight});
    weight *= 0.85;
  }
  return all;
}

/// Names at the match, those like another one first.
Ingredients scope_names(const Match& match, const Arguments& arguments) {
  std::string like = text_of(match, arguments, "like");
  const Value* wanted = like.empty() ? nullptr : observed(match, like);
  bool parameters_only = arguments.one("only") == "parameters";
  Basket basket;
  for (const ScopeName& name : names_in_scope(match.node)) {
    if (name.text == "self" || name.text == "cls" || name.text == like) continue;
    if (parameters_only && name.origin != ScopeName::Origin::kParameter) continue;
    double weight = origin_weight(name.origin) * (name.bound_before ? 1 : 0.1);
    if (!like.empty())
      weight *=
          (0.25 + 0.75 * name_similarity(name.text, like)) * type_fit(match, name.text, wanted);
    basket.add(name.text, weight);
  }
  return basket.take();
}

/// `self.x` for attributes of the class, those like another expression first.
Ingredients self_attribute(const Match& match, const Arguments& arguments) {
  std::string like = text_of(match, arguments, "like");
  std::string like_name =
      like.substr(like.rfind('.') == std::string::npos ? 0 : like.rfind('.') + 1);
  const Value* wanted = like.empty() ? nullptr : observed(match, like);
  Basket basket;
  for (const std::string& attribute : self_attributes(match.node)) {
    if (attribute == like) continue;
    double weight = 0.7;
    if (!like.empty()) {
      weight *=
          (0.2 + 0.8 * name_similarity(attribute.substr(attribute.find('.') + 1), like_name)) *
          type_fit(match, attribute, wanted);
    }
    basket.add(attribute, weight);
  }
  return basket.take();
}

/// Identifiers that look like another one: in scope, on self, anywhere in the file.
Ingredients similar_name(const Match& match, const Arguments& arguments) {
  std::string to = text_of(match, arguments, "to");
  double threshold = arguments.number("percent", 55) / 100.0;
  Basket basket;
  auto offer = [&](const std::string& name, double weight) {
    double similarity = name_similarity(name, to);
    if (name != to && similarity >= threshold) basket.add(name, weight * similarity);
  };
  for (const ScopeName& name : names_in_scope(match.node)) offer(name.text, 1);
  if (arguments.one("from") != "scope") {
    std::set<std::string_view> seen;
    for (std::string_view word : identifiers(match.file.text())) {
      if (seen.insert(word).second) offer(std::string(word), 0.6);
    }
  }
  return basket.take();
}

/// Members of an object: those that look like the name that was asked for first.
Ingredients members_of(const Match& match, const Arguments& arguments) {
  std::string object = text_of(match, arguments, "object"),
              like = text_of(match, arguments, "like");
  double threshold = arguments.number("percent", 40) / 100.0;
  Basket basket;
  for (const std::string& name : members_of_expression(match, object)) {
    if (name == like || (name.starts_with("__") && !like.starts_with("__"))) continue;
    double similarity = like.empty() ? 0.5 : name_similarity(name, like);
    // "padded_vocab_size" for "vocab_size": one name holds the other.
    if (!like.empty() &&
        (name.find(like) != std::string::npos || like.find(name) != std::string::npos)) {
      similarity = std::max(similarity, 0.75);
    }
    if (similarity >= threshold) basket.add(name, similarity);
  }
  return basket.take();
}

/// Keyword names that the called function accepts and the call does not pass.
Ingredients callee_keywords(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  auto callee = call ? callee_parameters(match, call) : std::nullopt;
  if (!callee) return {};
  std::string like = text_of(match, arguments, "like");
  auto given = keywords_of(call);
  std::size_t positional = positional_arguments(call).size();
  Basket basket;
  for (std::size_t i = 0; i < callee->parameters.size(); ++i) {
    const Parameter& parameter = callee->parameters[i];
    bool variable = parameter.kind == Parameter::Kind::kVarKeyword ||
                    parameter.kind == Parameter::Kind::kVarPositional;
    bool filled = i < positional && parameter.kind != Parameter::Kind::kKeywordOnly;
    if (variable || filled || std::find(given.begin(), given.end(), parameter.name) != given.end())
      continue;
    double weight = parameter.has_default ? 0.6 : 1;
    if (!like.empty()) weight *= 0.2 + 0.8 * name_similarity(parameter.name, like);
    basket.add(parameter.name, weight);
  }
  return basket.take();
}

/// Expressions at the match that carry a value of a given name: `p`, `self.p`, `config.p`,
/// `args.p`.
Ingredients value_named(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Basket basket;
  auto scope = names_in_scope(match.node);
  for (const ScopeName& candidate : scope) {
    double similarity = name_similarity(candidate.text, name);
    bool usable = candidate.bound_before && candidate.origin != ScopeName::Origin::kImport;
    if (usable && similarity > 0.6)
      basket.add(candidate.text, similarity * (candidate.text == name ? 1 : 0.5));
  }
  for (const std::string& attribute : self_attributes(match.node)) {
    double similarity = name_similarity(attribute.substr(attribute.find('.') + 1), name);
    if (similarity > 0.6) basket.add(attribute, similarity * (similarity == 1 ? 0.9 : 0.45));
  }
  // An attribute of that name used on another object in the file (`config.p`) whose object is in
  // scope.
  std::set<std::string> objects;
  for (const ScopeName& candidate : scope) objects.insert(candidate.text);
  objects.insert("self");
  for_each_of(match.file.root(), {"attribute"}, [&](Node node) {
    if (node.field("attribute").text() != name || node.parent().field("function") == node) return;
    std::string first = split(node.text(), '.').front();
    if (objects.contains(first)) basket.add(std::string(node.text()), 0.8);
  });
  if (basket.take().empty() && arguments.one("else") != "") basket.add(arguments.one("else"), 0.2);
  return basket.take();
}

/// What other calls of the same function pass for a keyword, in this file and then in the tree.
Ingredients sibling_arguments(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  if (!call) return {};
  std::string function(called_name(call)), name = text_of(match, arguments, "name");
  Basket basket;
  auto gather = [&](const SourceFile& file, double weight) {
    for_each_of(file.root(), {"call"}, [&](Node node) {
      if (node.range() == call.range() || called_name(node) != function) return;
      for (Node argument : node.field("arguments").named_children()) {
        if (argument.kind() == "keyword_argument" && argument.field("name").text() == name) {
          basket.add(std::string(argument.field("value").text()), weight);
        }
      }
    });
  };
  gather(match.file, 1);
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.files_mentioning(function)) {
    if (path == match.file.path() || ++read > 8) continue;
    if (const SourceFile* file = match.input.tree.source(path)) gather(*file, 0.5);
  }
  return basket.take();
}

/// Whole keyword arguments (`name=value`) that sibling calls of the same function pass and this one
/// does not.
Ingredients sibling_keywords(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  if (!call) return {};
  auto given = keywords_of(call);
  std::string function(called_name(call));
  Basket basket;
  auto gather = [&](const SourceFile& file, double weight) {
    for_each_of(file.root(), {"call"}, [&](Node node) {
      if (called_name(node) != function) return;
      for (Node argument : node.field("arguments").named_children()) {
        if (argument.kind() != "keyword_argument") continue;
        if (std::find(given.begin(), given.end(), argument.field("name").text()) != given.end())
          continue;
        basket.add(std::string(argument.text()), weight);
      }
    });
  };
  gather(match.file, 1);
  return basket.take();
}

/// Values that say "nothing" for a place: by the type seen at run time, else the usual ones.
Ingredients neutral_values(const Match& match, const Arguments& arguments) {
  Basket basket;
  const Value* value =
      arguments.has("for") ? observed(match, text_of(match, arguments, "for")) : nullptr;
  static const std::map<std::string_view, std::string_view> by_type = {
      {"int", "0"},   {"float", "0.0"}, {"bool", "False"}, {"str", "\"\""},
      {"list", "[]"}, {"dict", "{}"},   {"tuple", "()"}};
  if (value != nullptr) {
    if (auto at = by_type.find(value->type); at != by_type.end())
      basket.add(std::string(at->second), 1);
  }
  double weight = 0.8;
  for (const char* text : {"None", "False", "0", "True", "1", "\"\"", "[]", "{}", "()"}) {
    basket.add(text, weight);
    weight *= 0.7;
  }
  return basket.take();
}

/// Conditions that guard other code nearby: in the function first, then the class, then the file.
Ingredients guards_nearby(const Match& match, const Arguments& arguments) {
  std::string about = text_of(match, arguments, "about");
  Node function = enclosing_function(match.node), cls = enclosing_class(match.node);
  Node own_condition = condition_of(match.node);
  std::set<std::string> known = {"self",    "cls",   "None",    "True", "False", "isinstance",
                                 "hasattr", "len",   "getattr", "not",  "and",   "or",
                                 "in",      "is",    "any",     "all",  "type",  "int",
                                 "str",     "float", "list",    "dict", "tuple", "bool"};
  for (const ScopeName& name : names_in_scope(match.node)) known.insert(name.text);
  const std::vector<std::string>& attributes = self_attributes(match.node);
  std::set<std::string> own(attributes.begin(), attributes.end());
  Basket basket;
  auto offer = [&](Node condition, double weight) {
    std::string text(condition.text());
    if (text.size() > 100 || (own_condition && text == own_condition.text())) return;
    if (!about.empty() && !mentions_word(text, about)) weight *= 0.2;
    // Every free name must mean something at the match.
    bool usable = true;
    walk(condition, [&](Node node) {
      if (node.kind() == "identifier" && node.parent().field("attribute") != node &&
          node.parent().field("name") != node && !known.contains(std::string(node.text()))) {
        usable = false;
      }
      // Another class's `self` has other attributes.
      if (node.kind() == "attribute" && node.field("object").text() == "self" &&
          !own.contains(std::string(node.text()))) {
        usable = false;
      }
      return usable;
    });
    if (usable) basket.add(std::move(text), weight);
  };
  auto offer_condition = [&](Node node, Node condition) {
    double weight = function && function.range().contains(node.range()) ? 1.0
                    : cls && cls.range().contains(node.range())         ? 0.6
                                                                        : 0.3;
    offer(condition, weight);
  };
  for_each_of(match.file.root(),
              {"if_statement", "elif_clause", "while_statement", "conditional_expression",
               "assert_statement", "boolean_operator"},
              [&](Node node) {
                if (node.kind() == "boolean_operator") {
                  for (Node operand : node.named_children()) offer_condition(operand, operand);
                } else {
                  offer_condition(node,
                                  node.kind() == "conditional_expression" ? node.named_child(1)
                                  : node.kind() == "assert_statement"     ? node.named_child(0)
                                                                      : node.field("condition"));
                }
              });
  return basket.take();
}

/// Other expressions of the same node kind in the function (then the file).
Ingredients donors(const Match& match, const Arguments& arguments) {
  Node like = anchor(match, arguments.one("like", "match"));
  if (!like) return {};
  Node function = enclosing_function(match.node);
  const Value* wanted = observed(match, like.text());
  Basket basket;
  for_each_of(match.file.root(), {like.kind()}, [&](Node node) {
    bool near = function && function.range().contains(node.range());
    if (node.text() != like.text() && node.text().size() <= 80 &&
        (near || arguments.one("from") == "file")) {
      double distance = std::abs(node.line() - like.line());
      double weight = (near ? 1 : 0.3) * (0.3 + 0.7 * name_similarity(node.text(), like.text())) /
                      (1 + distance / 40) * type_fit(match, node.text(), wanted);
      basket.add(std::string(node.text()), weight);
    }
  });
  return basket.take();
}

bool is_test_path(std::string_view path) { return path.find("test") != std::string_view::npos; }

/// Modules that define or export a name: of the tree first, then installed ones near a given
/// module.
Ingredients exporting_modules(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name"), near = text_of(match, arguments, "near");
  SourceTree& tree = match.input.tree;
  Basket basket;
  for (const Definition& definition : tree.definitions(name)) {
    bool top = definition.qualname == name && definition.kind != Definition::Kind::kImport;
    std::string module = tree.module_of_file(definition.file);
    if (!top || module.empty() || module == near || definition.file == match.file.path()) continue;
    basket.add(module,
               (is_test_path(definition.file) ? 0.1 : 0.6) + 0.4 * name_similarity(module, near));
  }
  for (const Export& exported : match.input.installed.exporters(name, near)) {
    if (exported.module == near) continue;
    bool hidden = exported.module.find("._") != std::string::npos;
    basket.add(exported.module,
               (hidden ? 0.3 : 0.6) + 0.4 * name_similarity(exported.module, near));
  }
  return basket.take();
}

/// Import statements that would bind a name: as other files of the tree write them, then from the
/// module of the tree that defines it, then `import name` of an installed module.
Ingredients import_statements(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  SourceTree& tree = match.input.tree;
  std::map<std::string, int> counts;
  std::size_t read = 0;
  for (const std::string& path : tree.files_mentioning(name)) {
    if (path == match.file.path() || ++read > 60) continue;
    for (const Definition& definition : tree.outline(path)) {
      if (definition.kind != Definition::Kind::kImport || definition.name != name) continue;
      if (definition.source_module.starts_with('.')) continue;  // means something else here
      bool plain = definition.source_module.empty();
      std::string original = plain ? definition.source_name : definition.source_name;
      std::string alias =
          original == name || (plain && original.starts_with(name + ".")) ? "" : " as " + name;
      counts[plain ? "import " + original + alias
                   : "from " + definition.source_module + " import " + original + alias]++;
    }
  }
  Basket basket;
  for (const auto& [statement, count] : counts)
    basket.add(statement, std::min(1.0, 0.6 + 0.1 * count));
  for (const Definition& definition : tree.definitions(name)) {
    bool importable = definition.qualname == name && definition.kind != Definition::Kind::kImport &&
                      definition.file != match.file.path();
    std::string module = tree.module_of_file(definition.file);
    if (importable && !module.empty()) {
      basket.add(fmt::format("from {} import {}", module, name),
                 is_test_path(definition.file) ? 0.1 : 0.6);
    }
  }
  if (match.input.installed.has_module(name)) basket.add("import " + name, 0.7);
  for (const char* package : {"typing", "collections", "torch", "functools", "itertools",
                              "dataclasses", "pathlib", "contextlib"}) {
    auto names = match.input.installed.names_of(package);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      basket.add(fmt::format("from {} import {}", package, name), 0.5);
    }
  }
  return basket.take();
}

/// Other comparison operators, likeliest mistakes first.
Ingredients comparators(const Match& match, const Arguments& arguments) {
  static const std::map<std::string, std::vector<std::string>> flips = {
      {"<", {"<=", ">", "!=", ">="}},
      {"<=", {"<", "==", ">=", ">"}},
      {">", {">=", "<", "!=", "<="}},
      {">=", {">", "==", "<=", "<"}},
      {"==", {"!=", "<=", ">=", "in", "is"}},
      {"!=", {"==", "<", ">", "not in", "is not"}},
      {"in", {"not in", "=="}},
      {"not in", {"in", "!="}},
      {"is", {"is not", "=="}},
      {"is not", {"is", "!="}},
  };
  auto at = flips.find(text_of(match, arguments, "of"));
  if (at == flips.end()) return {};
  Ingredients all;
  double weight = 1;
  for (const std::string& text : at->second) {
    all.push_back({text, weight});
    weight *= 0.65;
  }
  return all;
}

Ingredients arithmetic(const Match& match, const Arguments& arguments) {
  static const std::map<std::string, std::vector<std::string>> swaps = {
      {"+", {"-", "*"}},
      {"-", {"+", "//"}},
      {"*", {"/", "//", "+", "**"}},
      {"/", {"//", "*"}},
      {"//", {"/", "%", "*"}},
      {"%", {"//"}},
      {"**", {"*"}},
      {"&", {"|"}},
      {"|", {"&", "+"}},
      {"<<", {">>"}},
      {">>", {"<<"}},
      {"+=", {"-=", "=", "*="}},
      {"-=", {"+="}},
      {"*=", {"/="}},
      {"/=", {"*="}},
      {"and", {"or"}},
      {"or", {"and"}},
  };
  auto at = swaps.find(text_of(match, arguments, "of"));
  if (at == swaps.end()) return {};
  Ingredients all;
  double weight = 1;
  for (const std::string& text : at->second) {
    all.push_back({text, weight});
    weight *= 0.7;
  }
  return all;
}

/// Numbers beside a number, and other numbers of the function.
Ingredients numbers_near(const Match& match, const Arguments& arguments) {
  std::string text = text_of(match, arguments, "of");
  Basket basket;
  long value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) {
    basket.add(std::to_string(value + 1), 1);
    if (value != 0) basket.add(std::to_string(value - 1), 1);
    if (value == 0) basket.add("-1", 0.8);
    basket.add("0", 0.6);
    basket.add("1", 0.6);
    basket.add("2", 0.3);
    if (value > 0) basket.add("-" + text, 0.5);
    basket.add("None", 0.2);
  }
  Node function = enclosing_function(match.node);
  for_each_of(function ? function : match.file.root(), {"integer", "float"}, [&](Node node) {
    if (node.text() != text) basket.add(std::string(node.text()), 0.4);
  });
  basket.drop(text);
  return basket.take();
}

/// Other string literals: alike ones of the file, keys of dicts seen at run time, strings of the
/// message.
Ingredients strings_near(const Match& match, const Arguments& arguments) {
  std::string text = text_of(match, arguments, "of");
  std::string_view inner = text;
  char quote = '"';
  if (inner.size() >= 2 && (inner.front() == '"' || inner.front() == '\'')) {
    quote = inner.front();
    inner = inner.substr(1, inner.size() - 2);
  }
  Basket basket;
  LetterBag letters(inner);
  std::unordered_map<std::string_view, double> similarities;  // most names occur many times
  auto offer = [&](std::string_view other, double weight) {
    if (other == inner || other.size() > 80 || other.find('\n') != std::string_view::npos) return;
    auto [at, added] = similarities.try_emplace(other);
    if (added && letters.likeness_bound(other) >= 0.5) at->second = name_similarity(other, inner);
    double similarity = at->second;
    if (similarity >= 0.5)
      basket.add(fmt::format("{}{}{}", quote, other, quote), weight * similarity);
  };
  for_each_of(match.file.root(), {"string_content", "keyword_argument", "attribute"},
              [&](Node node) {
                if (node.kind() == "string_content") return offer(node.text(), 1);
                bool attribute = node.kind() == "attribute";
                offer(node.field(attribute ? "attribute" : "name").text(), 0.7);
              });
  if (const Values* scope = observed_scope(match)) {
    for (const auto& [name, value] : *scope) {
      for (const std::string& key : value.keys) offer(key, 1);
    }
  }
  return basket.take();
}

/// Keys of a dict seen at run time, as literals, those like another one first.
Ingredients keys_of(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "object"));
  if (value == nullptr) return {};
  std::string like = text_of(match, arguments, "like");
  Basket basket;
  for (const std::string& key : value->keys) {
    basket.add(fmt::format("\"{}\"", key), 0.3 + 0.7 * name_similarity(key, std::string(like)));
  }
  return basket.take();
}

/// The class of a value seen at run time, where its name can be used in the file.
Ingredients type_of(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "of"));
  if (value == nullptr || !value->known()) return {};
  Basket basket;
  static const std::set<std::string> builtin = {"int",   "float",   "str",      "bool",
                                                "list",  "tuple",   "dict",     "set",
                                                "bytes", "complex", "frozenset"};
  if (value->none())
    basket.add("type(None)", 1);
  else if (builtin.contains(value->type))
    basket.add(value->type, 1);
  else {
    for (const ScopeName& name : names_in_scope(match.node)) {
      if (name.text == value->type) basket.add(name.text, 1);
      if (!value->module.empty() && name.text == split(value->module, '.').front()) {
        basket.add(value->module + "." + value->type, 0.8);
        auto exported = match.input.installed.names_of(name.text);
        bool there = value->module == name.text ||
                     std::find(exported.begin(), exported.end(), value->type) != exported.end();
        if (there) basket.add(name.text + "." + value->type, 0.9);
      }
    }
  }
  return basket.take();
}

/// The class of the exception that ended the check.
Ingredients raised_type(const Match& match, const Arguments&) {
  std::string type(match.input.failure.type_name());
  return type.empty() ? Ingredients{} : Ingredients{{type, 1}};
}

/// Values that the check expects: the other operands of the failing comparison, as literals.
Ingredients expected_values(const Match& match, const Arguments&) {
  Basket basket;
  for (const Operand& operand : match.input.evidence.operands) {
    static const std::set<std::string> harmless = {"int", "float", "str", "bool", "NoneType"};
    if (harmless.contains(operand.value.type) && operand.value.repr.size() <= 40)
      basket.add(operand.value.repr, 0.5);
  }
  return basket.take();
}

/// Statements of other classes or functions that assign the same attribute: `self.x = ...`.
Ingredients sibling_assignments(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Basket basket;
  auto gather = [&](const SourceFile& file, double weight) {
    for_each_of(file.root(), {"assignment"}, [&](Node node) {
      Node left = node.field("left");
      bool named = left.text() == name ||
                   (left.kind() == "attribute" && left.field("attribute").text() == name);
      if (named && node.field("right")) basket.add(std::string(node.field("right").text()), weight);
    });
  };
  gather(match.file, 1);
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.files_mentioning(name)) {
    if (path == match.file.path() || ++read > 6) continue;
    if (const SourceFile* file = match.input.tree.source(path)) gather(*file, 0.4);
  }
  return basket.take();
}

Signature takes(std::vector<std::string> required, std::vector<std::string> optional = {}) {
  return {std::move(required), std::move(optional)};
}

}  // namespace

const std::vector<Provider>& providers() {
  static const std::vector<Provider> all = {
      {"affixed_keys",
       "a dict's keys that are the missing one with something in front or behind, made from the "
       "key",
       takes({"object", "key", "missing"}), affixed_keys},
      {"alternatives", "the other words of the groups that hold the word", takes({"of", "groups"}),
       alternatives},
      {"arithmetic", "other operators for an arithmetic, augmented or boolean one", takes({"of"}),
       arithmetic},
      {"availability_guards",
       "predicates of the project for the modules that the body of an if imports", takes({}),
       availability_guards},
      {"branch_values", "values for a name on a path that sets none", takes({"name"}),
       branch_values},
      {"callee_keywords",
       "keyword names that the called function accepts and the call does not pass",
       takes({}, {"call", "like"}), callee_keywords},
      {"captured_results", "statements that keep what a call statement drops", takes({}),
       captured_results},
      {"carried_flags", "statements that let a new object be trained as the old one is", takes({}),
       carried_flags},
      {"comparators", "other comparison operators, likeliest mistakes first", takes({"of"}),
       comparators},
      {"condition_operands", "what could be tested in the place of another operand",
       takes({"like"}), condition_operands},
      {"conditions",
       "conditions that the run's values make false (wants: true for true ones; from: values or "
       "guards)",
       takes({}, {"wants", "from"}), conditions},
      {"container_sizes", "sizes of the containers and tensors around the match", takes({}),
       container_sizes},
      {"converted_names", "names that hold the matched expression converted, set before it",
       takes({}), converted_names},
      {"donors", "expressions of the same kind in the function (from: file for the whole file)",
       takes({}, {"like", "from"}), donors},
      {"edited_text", "a text with all matches of a regular expression replaced",
       takes({"of", "from", "to"}), edited_text},
      {"empty_items", "tests for empty items of the loop, where a condition tests what they gave",
       takes({}), empty_items},
      {"expected_exceptions", "exceptions that the check wants raised", takes({}),
       expected_exceptions},
      {"expected_types",
       "types that the check wants: of its operands and those it asks about (of: not the type it "
       "has)",
       takes({}, {"of"}), expected_types},
      {"expected_values", "literals that the failing comparison expects", takes({}),
       expected_values},
      {"exporting_modules", "modules of the tree or installed ones that define a name",
       takes({"name"}, {"near"}), exporting_modules},
      {"field_declarations", "a field for the matched class, as other classes declare it",
       takes({"name"}), field_declarations},
      {"forwardable_arguments",
       "arguments (name=value) that the callee takes, the call leaves out and the function has",
       takes({}, {"call"}), forwardable_arguments},
      {"gradient_returns", "what backward should return: one gradient an input of forward",
       takes({}, {"of", "count"}), gradient_returns},
      {"guards_nearby", "conditions that guard other code of the function, class and file",
       takes({}, {"about"}), guards_nearby},
      {"import_fallbacks", "statements that give the names of an import a value without it",
       takes({}, {"of"}), import_fallbacks},
      {"import_statements", "import statements that bind a name", takes({"name"}),
       import_statements},
      {"initial_values", "values for an attribute that an __init__ forgets", takes({"name"}),
       initial_values},
      {"initialising_statements",
       "calls of methods that set the attribute; what sets a lazy global elsewhere",
       takes({"name"}), initialising_statements},
      {"inverse_operations", "operators and names that undo one which the twin function has, too",
       takes({"of"}), inverse_operations},
      {"keys_of", "keys of a dict seen at run time", takes({"object"}, {"like"}), keys_of},
      {"kindred_terms", "one more term for a sum of calls of one object's methods", takes({}),
       kindred_terms},
      {"kindred_types", "types that are used beside a type", takes({"to"}), kindred_types},
      {"known_prefixes",
       "prefixes that files take off names and that the check or its message holds", takes({}),
       known_prefixes},
      {"link_statements",
       "the statement for an object one link nearer or further (link: outer or inner)",
       takes({"link"}), link_statements},
      {"literal", "the given texts", takes({"values"}), literal},
      {"literal_exceptions", "tests that leave a value out of a branch that raises (of: its block)",
       takes({}, {"of"}), literal_exceptions},
      {"loop_names_read", "loop variables that the matched function or lambda reads late",
       takes({}), loop_names_read},
      {"members_of", "members of an object, those like a name first",
       takes({"object"}, {"like", "percent"}), members_of},
      {"method_definitions",
       "a method for the matched class: as a kindred class has it, or handing on to a part",
       takes({"name"}), method_definitions},
      {"missing_arguments", "name=value for the arguments that a message says are missing",
       takes({"names"}, {"call"}), missing_arguments},
      {"missing_numbers",
       "names whose number makes the expected one of the one that came out (as: factor, divisor, "
       "ceiling, addend, subtrahend)",
       takes({"as"}), missing_numbers},
      {"mode_guards",
       "tests of training, gradients, devices and process groups that the file can name", takes({}),
       mode_guards},
      {"module_names", "top-level names of the module that look like a name", takes({"like"}),
       module_names},
      {"moved_symbols", "where a library moved what the node names (facts): old -> new",
       takes({}, {"of"}), moved_symbols},
      {"negation", "the opposite of a condition", takes({"of"}), negation},
      {"neighbour_keywords", "keyword arguments of calls nearby that share keywords with the call",
       takes({}, {"call"}), neighbour_keywords},
      {"neighbour_statements",
       "statements beside an equal statement elsewhere (side: after or before)",
       takes({}, {"side"}), neighbour_statements},
      {"neutral_values", "None, False, 0, empty containers; by observed type when given",
       takes({}, {"for"}), neutral_values},
      {"next_versions", "what continues a list of version strings", takes({}, {"of"}),
       next_versions},
      {"numbers_near", "neighbours of a number and other numbers of the function", takes({"of"}),
       numbers_near},
      {"observed_literal", "the value seen at run time as a literal", takes({"of"}),
       observed_literal},
      {"opposite_comparators", "comparison operators that say the contrary", takes({"of"}),
       opposite_comparators},
      {"open_calls", "calls in the matched function that may take any keyword that it is given",
       takes({}), open_calls},
      {"other_attributes", "attributes of the same object: set and never read, alike, used nearby",
       takes({}, {"of"}), other_attributes},
      {"other_names", "names that hold another value: never read, alike, of the same type",
       takes({}, {"of"}), other_names},
      {"own_name", "the name of the match's function, when it looks like another name",
       takes({"like"}), own_name},
      {"own_state", "statements that give each object its own list, dict or set", takes({}),
       own_state},
      {"owners_of", "expressions whose value has an attribute of that name",
       takes({"name"}, {"except"}), owners_of},
      {"parameters_by_default", "parameters whose default is the constant", takes({"like"}),
       parameters_by_default},
      {"raised_type", "class of the exception that ended the check", takes({}), raised_type},
      {"reexports", "imports that bring a name of the tree into this module", takes({"name"}),
       reexports},
      {"registry_additions", "entries that a table of names or strings may lack", takes({}, {"to"}),
       registry_additions},
      {"renamed_text", "a text with one word part changed, when the file has it (new: yes for any)",
       takes({"of", "from", "to"}, {"new"}), renamed_text},
      {"repeated_conditions", "places where an if statement asks again what it has asked",
       takes({}), repeated_conditions},
      {"repeated_keys", "places where a dict or set has a key again", takes({}), repeated_keys},
      {"reported_collections", "collections that the body of an if tells about, untested",
       takes({}), reported_collections},
      {"returns_within", "return statements in a node, nested functions left out",
       takes({}, {"of"}), returns_within},
      {"scope_names", "names at the match, those like another one first (only: parameters)",
       takes({}, {"like", "only"}), scope_names},
      {"self_attributes", "self.x for attributes of the class, those like another expression first",
       takes({}, {"like"}), self_attribute},
      {"sibling_arguments", "what other calls of the same function pass for a keyword",
       takes({"name"}, {"call"}), sibling_arguments},
      {"sibling_assignments", "what is assigned to the same name or attribute elsewhere",
       takes({"name"}), sibling_assignments},
      {"sibling_keywords", "whole keyword arguments that other calls of the same function pass",
       takes({}, {"call"}), sibling_keywords},
      {"sibling_statements",
       "statements with which functions like the matched one start or end (where)",
       takes({}, {"where"}), sibling_statements},
      {"similar_name",
       "identifiers that look like another one (from: scope for those in scope only)",
       takes({"to"}, {"from", "percent"}), similar_name},
      {"size_names", "names that hold a number of processes", takes({}), size_names},
      {"slot_names", "values named like the parameter that an argument fills", takes({}, {"of"}),
       slot_names},
      {"strings_near", "string literals and keys that look like another one", takes({"of"}),
       strings_near},
      {"surplus_prefix", "what one name has in front of another, as a literal",
       takes({"of", "over"}), surplus_prefix},
      {"tensors_near", "names that hold tensors in the function", takes({}, {"except"}),
       tensors_near},
      {"threadable_names",
       "parameters that the call leaves out, of which only the caller of its function has a value",
       takes({}), threadable_names},
      {"type_of", "class of a value seen at run time", takes({"of"}), type_of},
      {"type_tests", "the contrary of a type test with another type", takes({}), type_tests},
      {"unpack_targets", "targets for an assignment that got another number of values",
       takes({"left", "kind"}), unpack_targets},
      {"unreachable_statements", "the statement behind one that leaves the matched block",
       takes({}), unreachable_statements},
      {"unreset_state", "statements that put back what starts empty and a reset forgets", takes({}),
       unreset_state},
      {"unused_parameters",
       "parameters that nothing reads (like: a constant that may stand for one; kind: flag for "
       "those that are True or False)",
       takes({}, {"like", "kind"}), unused_parameters},
      {"used_behind", "tests of what the statements behind a None guard use", takes({}),
       used_behind},
      {"value_named", "expressions that carry a value of that name: p, self.p, config.p",
       takes({"name"}, {"else"}), value_named},
      {"walked_once", "parameters that got a generator, a map or a filter", takes({}), walked_once},
      {"wanted_returns", "the returned values with the one that the failed assignment misses",
       takes({}), wanted_returns},
      {"wrappings", "the matched expression wrapped as equal expressions of the file are",
       takes({}), wrappings},
  };
  return all;
}

const Provider* find_provider(std::string_view name) {
  const auto& all = providers();
  auto at = std::find_if(all.begin(), all.end(), [&](const Provider& p) { return p.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace suture
