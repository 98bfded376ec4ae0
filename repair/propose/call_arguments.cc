#include "repair/propose/call_arguments.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/condition.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/lookups.h"
#include "repair/propose/precedence.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

bool is_variable(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::kVarKeyword ||
         parameter.kind == Parameter::Kind::kVarPositional;
}

/// Parameters that a function takes and never reads; self, cls and those named as unused left out.
std::vector<ParameterSyntax> unread_parameters(Node function) {
  std::vector<ParameterSyntax> unread;
  for (ParameterSyntax& parameter : parameters_of(function)) {
    bool plain =
        parameter.name != "self" && parameter.name != "cls" && !parameter.name.starts_with('_');
    if (plain && reads_of(function.field("body"), parameter.name).empty())
      unread.push_back(std::move(parameter));
  }
  return unread;
}

/// The index of a positional argument in its call; nothing for others, or behind a `*args`.
std::optional<std::size_t> position_of(Node argument) {
  if (argument.parent().kind() != "argument_list") return std::nullopt;
  std::size_t index = 0;
  for (Node other : argument.parent().named_children()) {
    if (other == argument) return index;
    if (other.is({"list_splat", "keyword_argument", "dictionary_splat"})) return std::nullopt;
    ++index;
  }
  return std::nullopt;
}

/// The name of the parameter that an argument fills; "" when that cannot be told.
std::string slot_of(const Match& match, Node argument) {
  if (argument.parent().kind() == "keyword_argument")
    return std::string(argument.parent().field("name").text());
  auto index = position_of(argument);
  Node call = argument.parent().parent();
  auto callee = index ? callee_parameters(match, call) : std::nullopt;
  if (!callee || *index >= callee->parameters.size() || is_variable(callee->parameters[*index]))
    return {};
  return callee->parameters[*index].name;
}

std::string_view last_name(std::string_view code) {
  std::size_t dot = code.rfind('.');
  return dot == std::string_view::npos ? code : code.substr(dot + 1);
}

/// The arguments of other calls of the same function, near and far.
void each_sibling_call(const Match& match, Node call,
                       const std::function<void(Node, double)>& visit) {
  std::string function(called_name(call));
  auto gather = [&](const SourceFile& file, double weight) {
    for_each_of(file.root(), {"call"}, [&](Node node) {
      if (called_name(node) == function && !(node == call)) visit(node, weight);
    });
  };
  gather(match.file, 1);
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.files_mentioning(function)) {
    if (path == match.file.path() || ++read > 6) continue;
    if (const SourceFile* file = match.input.tree.source(path)) gather(*file, 0.5);
  }
}

/// Whether all names that an expression reads can be used at the match.
bool usable_at(const Match& match, Node expression) {
  std::set<std::string> known = {"self", "None", "True", "False"};
  for (const ScopeName& name : names_in_scope(match.node)) known.insert(name.text);
  bool usable = true;
  walk(expression, [&](Node node) {
    bool name =
        node.kind() == "identifier" &&
        !(node.parent().kind() == "attribute" && node.parent().field("attribute") == node) &&
        !(node.parent().kind() == "keyword_argument" && node.parent().field("name") == node);
    if (name && !known.contains(std::string(node.text()))) usable = false;
    return usable;
  });
  return usable;
}

/// Expressions for a parameter that a call does not fill, best first.
std::vector<Ingredient> values_for(const Match& match, Node call, const std::string& parameter) {
  Basket basket;
  for (const ValueSource& source : values_around(call)) {
    double similarity = name_similarity(source.name, parameter);
    if (source.name == parameter)
      basket.add(source.code, source.weight);
    else if (similarity > 0.6)
      basket.add(source.code, 0.4 * similarity * source.weight);
  }
  each_sibling_call(match, call, [&](Node sibling, double weight) {
    auto callee = callee_parameters(match, call);
    std::size_t index = 0;
    for (Node argument : sibling.field("arguments").named_children()) {
      bool keyword =
          argument.kind() == "keyword_argument" && argument.field("name").text() == parameter;
      bool positional = argument.kind() != "keyword_argument" && callee &&
                        index < callee->parameters.size() &&
                        callee->parameters[index].name == parameter;
      Node value = keyword ? argument.field("value") : argument;
      if ((keyword || positional) && value.text().size() < 60 && usable_at(match, value))
        basket.add(std::string(value.text()), 0.6 * weight);
      ++index;
    }
  });
  basket.add("None", 0.25);
  return basket.take();
}

int arity_of_return(Node value) {
  if (!value) return 0;
  Node list = value;
  while (list.kind() == "parenthesized_expression" && list.named_child_count() == 1)
    list = list.named_child(0);
  if (!list.is({"expression_list", "tuple"})) return 1;
  for (Node item : list.named_children()) {
    if (item.kind() == "list_splat") return -1;
  }
  return int(list.named_child_count());
}

/// How many tensors and other inputs `forward` of the class takes, without ctx; -1 when it is open.
int forward_inputs(Node backward) {
  Node cls = enclosing_class(backward);
  int count = -1;
  walk(cls.field("body"), [&](Node node) {
    if (node.kind() != "function_definition") return true;
    if (node.field("name").text() != "forward") return false;
    auto parameters = parameters_of(node);
    bool open = std::any_of(parameters.begin(), parameters.end(),
                            [](const ParameterSyntax& p) { return !p.prefix.empty(); });
    if (!open && !parameters.empty()) count = int(parameters.size()) - 1;
    return false;
  });
  return count;
}

}  // namespace

std::vector<ValueSource> values_around(Node place) {
  std::vector<ValueSource> values;
  for (const ScopeName& name : names_in_scope(place)) {
    if (!name.bound_before || name.text == "self" || name.text == "cls") continue;
    switch (name.origin) {
      case ScopeName::Origin::kParameter:
        values.push_back({name.text, name.text, 1.0});
        break;
      case ScopeName::Origin::kLocal:
        values.push_back({name.text, name.text, 0.8});
        break;
      case ScopeName::Origin::kLoop:
        values.push_back({name.text, name.text, 0.6});
        break;
      case ScopeName::Origin::kEnclosing:
        values.push_back({name.text, name.text, 0.7});
        break;
      case ScopeName::Origin::kModule:
        values.push_back({name.text, name.text, 0.3});
        break;
      case ScopeName::Origin::kImport:
      case ScopeName::Origin::kBuiltin:
        break;
    }
  }
  for (const std::string& attribute : self_attributes(place)) {
    std::string name = attribute.substr(attribute.find('.') + 1);
    values.push_back({name, attribute, 0.7});
    if (name.starts_with('_')) values.push_back({name.substr(1), attribute, 0.5});
  }
  Node function = enclosing_function(place);
  for_each_of(function, {"attribute"}, [&](Node node) {
    bool value = node.text().size() < 50 && !node.text().starts_with("self.") &&
                 node.parent().field("function") != node &&
                 node.field("object").is({"identifier", "attribute"});
    if (value)
      values.push_back(
          {std::string(node.field("attribute").text()), std::string(node.text()), 0.5});
  });
  return values;
}

/// Arguments (`name=value`) that the called function takes, the call does not pass, and that are
/// there.
std::vector<Ingredient> forwardable_arguments(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  Node function = call ? enclosing_function(call) : Node();
  if (!function) return {};
  auto given = keywords_of(call);
  std::size_t positional = positional_arguments(call).size();
  bool splat = false, list_splat = false;
  for (Node argument : call.field("arguments").named_children()) {
    splat |= argument.kind() == "dictionary_splat";
    list_splat |= argument.kind() == "list_splat";
  }
  auto callee = callee_parameters(match, call);
  bool same_name = called_name(call) == function.field("name").text();
  auto own = parameters_of(function);
  auto unread = unread_parameters(function);
  auto is_unread = [&](const std::string& name) {
    return std::any_of(unread.begin(), unread.end(),
                       [&](const ParameterSyntax& p) { return p.name == name; });
  };
  double doubt = splat ? 0.4 : 1;
  Basket basket;
  std::set<std::string> accepted;
  if (callee && !list_splat) {
    auto values = values_around(call);
    for (std::size_t i = positional; i < callee->parameters.size(); ++i) {
      const Parameter& parameter = callee->parameters[i];
      if (is_variable(parameter) || contains(given, parameter.name)) continue;
      accepted.insert(parameter.name);
      for (const ValueSource& source : values) {
        if (source.name != parameter.name) continue;
        double weight = source.weight * doubt * (same_name || is_unread(source.code) ? 1 : 0.75);
        basket.add(parameter.name + "=" + source.code, weight);
      }
    }
  }
  // A wrapper hands its own parameters on, also to what the tree does not define.
  bool open = !callee || callee->any_keyword;
  for (const ParameterSyntax& parameter : own) {
    bool known = contains(given, parameter.name) || accepted.contains(parameter.name);
    bool wanted = same_name || is_unread(parameter.name);
    if (!open || known || !wanted || parameter.name == "self" || parameter.name == "cls") continue;
    if (parameter.prefix == "**" && !splat && is_unread(parameter.name))
      basket.add("**" + parameter.name, same_name ? 0.7 : 0.4);
    bool passed = false;
    for (Node argument : call.field("arguments").named_children())
      passed |= mentions_word(argument.text(), parameter.name);
    if (!parameter.prefix.empty() || passed) continue;
    double weight = (is_unread(parameter.name) ? 0.5 : 0.25) * (same_name ? 1.6 : callee ? 1 : 0.6);
    basket.add(fmt::format("{}={}", parameter.name, parameter.name), weight * doubt);
  }
  return basket.take();
}

/// Keyword arguments that other calls pass which share keywords with this one, in the function and
/// class.
std::vector<Ingredient> neighbour_keywords(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  if (!call) return {};
  auto given = keywords_of(call);
  if (given.empty()) return {};
  auto callee = callee_parameters(match, call);
  Node function = enclosing_function(call), cls = enclosing_class(call);
  Basket basket;
  for_each_of(match.file.root(), {"call"}, [&](Node node) {
    if (node == call) return;
    bool same_function = called_name(node) == called_name(call) && !called_name(call).empty();
    std::size_t shared = 0;
    for (const std::string& name : keywords_of(node)) shared += contains(given, name) ? 1 : 0;
    bool alike =
        same_function ? shared >= 1 : shared >= 2 || (shared == given.size() && shared >= 1);
    if (!alike) return;
    bool near = function && function.range().contains(node.range());
    double weight = (near                                        ? 1
                     : cls && cls.range().contains(node.range()) ? 0.6
                                                                 : 0.4) *
                    (same_function ? 1 : 0.7);
    for (Node argument : node.field("arguments").named_children()) {
      if (argument.kind() != "keyword_argument" || contains(given, argument.field("name").text()))
        continue;
      std::string name(argument.field("name").text());
      bool takes = !callee || callee->any_keyword ||
                   std::any_of(callee->parameters.begin(), callee->parameters.end(),
                               [&](const Parameter& p) { return p.name == name; });
      if (!takes || !usable_at(match, argument.field("value")) || argument.text().size() > 80)
        continue;
      bool forwards = argument.field("value").text() == name;
      basket.add(std::string(argument.text()), weight * (forwards ? 1 : 0.7));
    }
  });
  return basket.take();
}

/// The arguments that a message says are missing (names: its list of quoted names).
std::vector<Ingredient> missing_arguments(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  if (!call) return {};
  std::string listed = text_of(match, arguments, "names");
  std::vector<std::string> names;
  re2::StringPiece rest(listed);
  std::string name;
  static const re2::RE2 quoted("'(\\w+)'");
  while (re2::RE2::FindAndConsume(&rest, quoted, &name)) names.push_back(name);
  if (names.empty()) return {};
  std::vector<std::vector<Ingredient>> offers;
  for (const std::string& wanted : names) offers.push_back(values_for(match, call, wanted));
  Basket basket;
  for (std::size_t choice = 0; choice < 6; ++choice) {
    std::string text;
    double weight = 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Ingredient& value = offers[i][std::min(choice, offers[i].size() - 1)];
      text += (i == 0 ? "" : ", ") + names[i] + "=" + value.text;
      weight *= value.weight;
    }
    basket.add(text, weight);
  }
  return basket.take();
}

/// Expressions named like the parameter that an argument fills, when the argument is not.
std::vector<Ingredient> slot_names(const Match& match, const Arguments& arguments) {
  Node argument = anchor(match, arguments.one("of", "match"));
  std::string slot = slot_of(match, argument);
  if (slot.empty()) return {};
  double own = name_similarity(last_name(argument.text()), slot);
  if (own >= 0.95) return {};
  const Value* wanted = observed(match, argument.text());
  Basket basket;
  for (const ValueSource& source : values_around(argument)) {
    double similarity = name_similarity(source.name, slot);
    if (source.code == argument.text() || similarity < own + 0.3) continue;
    const Value* value = observed(match, source.code);
    bool other_type =
        wanted != nullptr && value != nullptr && !wanted->none() && value->type != wanted->type;
    basket.add(source.code, similarity * source.weight * (other_type ? 0.5 : 1));
  }
  return basket.take();
}

/// Parameters of the match's function (and the functions around it) that nothing reads.
std::vector<Ingredient> unused_parameters(const Match& match, const Arguments& arguments) {
  std::string like = text_of(match, arguments, "like");
  Basket basket;
  for (Node function = enclosing_function(match.node); function;
       function = enclosing_function(function)) {
    for (const ParameterSyntax& parameter : unread_parameters(function)) {
      if (!parameter.prefix.empty()) continue;
      bool flag = parameter.default_text == "True" || parameter.default_text == "False";
      if (!flag && arguments.one("kind") == "flag") continue;
      double weight = 0.8;
      if (!like.empty()) {
        // The constant stands where the parameter's value should: same default, or a name that says
        // so.
        bool same_value = parameter.default_text == like;
        double similarity = name_similarity(parameter.name, last_name(like));
        weight = same_value ? 1 : 0.5 + 0.5 * similarity;
      }
      basket.add(parameter.name, weight);
    }
  }
  return basket.take();
}

/// Parameters of the match's function, its own conditions apart from the match, whose default is
/// the literal: where a constant stands for one of them, a caller's value is not heard.
std::vector<Ingredient> parameters_by_default(const Match& match, const Arguments& arguments) {
  std::string literal = text_of(match, arguments, "like");
  static const RE2 common("None|True|False|0|1|-1|0\\.0|1\\.0|\"\"|''");
  if (RE2::FullMatch(literal, common)) return {};
  Node function = enclosing_function(match.node), statement = enclosing_statement(match.node);
  auto same = [&](const std::string& text) {
    bool quoted = text.size() > 2 && (text.front() == '"' || text.front() == '\'');
    return text == literal ||
           (quoted && literal.size() == text.size() &&
            text.substr(1, text.size() - 2) == literal.substr(1, literal.size() - 2));
  };
  Basket basket;
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    bool free = parameter.has_default && same(parameter.default_text) &&
                !mentions_word(statement.text(), parameter.name);
    if (!free) continue;
    std::string slot = slot_of(match, match.node);
    basket.add(parameter.name, 0.6 + 0.4 * name_similarity(parameter.name, slot));
  }
  return basket.take();
}

/// Types that the check wants of a value: those of its operands, and those that it asks about.
std::vector<Ingredient> expected_types(const Match& match, const Arguments& arguments) {
  const Value* own =
      arguments.has("of") ? observed(match, text_of(match, arguments, "of")) : nullptr;
  static const std::set<std::string> known = {"int",   "float", "str", "list",
                                              "tuple", "dict",  "set", "bool"};
  Basket basket;
  auto offer = [&](const std::string& type, double weight) {
    if (known.contains(type) && (own == nullptr || own->type != type)) basket.add(type, weight);
  };
  const auto& operands = match.input.evidence.operands;
  for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
    const Value &a = operands[i].value, &b = operands[i + 1].value;
    if (!a.known() || !b.known() || a.type == b.type) continue;
    bool one_of_them = own != nullptr && (own->type == a.type || own->type == b.type);
    offer(a.type, one_of_them ? 1 : 0.5);
    offer(b.type, one_of_them ? 1 : 0.7);
  }
  std::string text(match.input.check_text);
  re2::StringPiece rest(text);
  std::string word;
  static const re2::RE2 asked(
      R"((?:isinstance\([^()]*(?:\([^()]*\))?[^()]*,\s*\(?|type\([^()]*\)\s*(?:is|==)\s*|\bis\s+|==\s+)(?:\w+\.)?(int|float|str|list|tuple|dict|set|bool|Size)\b)");
  while (re2::RE2::FindAndConsume(&rest, asked, &word)) {
    if (word == "Size")
      basket.add("torch.Size", 0.8);
    else
      offer(word, 0.8);
  }
  return basket.take();
}

/// What `backward` should return: as many gradients as `forward` has inputs (or the message says).
std::vector<Ingredient> gradient_returns(const Match& match, const Arguments& arguments) {
  Node statement = anchor(match, arguments.one("of", "match"));
  Node function = enclosing_function(statement);
  if (statement.kind() != "return_statement" || function.field("name").text() != "backward")
    return {};
  Node value = statement.named_child(0);
  int have = arity_of_return(value), want = forward_inputs(function);
  std::string told = text_of(match, arguments, "count");
  if (want < 0 && !told.empty() && told.find('$') == std::string::npos)
    want = std::atoi(told.c_str());
  if (have <= 0 || want <= 0 || have == want || want > 64) return {};
  Node list = value;
  while (list.kind() == "parenthesized_expression" && list.named_child_count() == 1)
    list = list.named_child(0);
  std::vector<std::string> items;
  if (list.is({"expression_list", "tuple"})) {
    for (Node item : list.named_children()) items.emplace_back(item.text());
  } else {
    items.emplace_back(value.text());
  }
  bool call = items.size() == 1 && value.kind() == "call";  // may return several itself
  Basket basket;
  if (have < want) {
    std::vector<std::string> longer = items;
    longer.resize(std::size_t(want), "None");
    basket.add(join(longer, ", "), call ? 0.4 : 1);
  } else {
    bool spare = std::all_of(items.begin() + want, items.end(),
                             [](const std::string& item) { return item == "None"; });
    items.resize(std::size_t(want));
    basket.add(join(items, ", "), spare ? 1 : 0.3);
  }
  return basket.take();
}

/// Names and attributes that hold a tensor, by the run or by how the function uses them.
std::vector<Ingredient> tensors_near(const Match& match, const Arguments& arguments) {
  std::string except = text_of(match, arguments, "except");
  Node function = enclosing_function(match.node);
  if (!function) return {};
  Basket basket;
  std::set<std::string> bound;
  for (const ScopeName& name : names_in_scope(match.node)) {
    if (!name.bound_before || name.origin == ScopeName::Origin::kImport ||
        name.origin == ScopeName::Origin::kModule)
      continue;
    bound.insert(name.text);
    const Value* value = observed(match, name.text);
    if (value != nullptr && !value->dtype.empty() && name.text != except) basket.add(name.text, 1);
  }
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    if (parameter.annotation.find("Tensor") != std::string::npos && parameter.name != except)
      basket.add(parameter.name, 0.9);
  }
  static const std::set<std::string_view> telling = {
      "shape",     "dtype", "device",    "size",       "view",    "reshape",
      "dim",       "numel", "is_cuda",   "transpose",  "permute", "to",
      "new_zeros", "ndim",  "unsqueeze", "masked_fill"};
  walk(function.field("body"), [&](Node node) {
    if (node.kind() != "attribute" || !telling.contains(node.field("attribute").text()))
      return true;
    Node object = node.field("object");
    bool name = object.kind() == "identifier" && bound.contains(std::string(object.text()));
    bool attribute = object.kind() == "attribute" && object.text().starts_with("self.");
    if ((name || attribute) && object.text() != except)
      basket.add(std::string(object.text()), name ? 0.7 : 0.5);
    return true;
  });
  return basket.take();
}

/// What the containers and tensors around the match hold: `len(x)`, `x.size(-1)`.
std::vector<Ingredient> container_sizes(const Match& match, const Arguments&) {
  Node call = call_at(match.node);
  Basket basket;
  for (const ValueSource& source : values_around(match.node)) {
    const Value* value = observed(match, source.code);
    if (value == nullptr || source.code == match.node.text()) continue;
    bool beside = call && mentions_word(call.text(), source.code);
    double weight = (beside ? 1 : 0.4) * source.weight;
    if (!value->dtype.empty()) {
      basket.add(source.code + ".size(-1)", weight);
      basket.add(source.code + ".size(0)", weight * 0.9);
    } else if (value->length && value->type != "str") {
      basket.add(fmt::format("len({})", source.code), weight);
    }
  }
  return basket.take();
}

/// Items that go on with a list of version strings: "1.2", "1.3" -> "1.4".
std::vector<Ingredient> next_versions(const Match& match, const Arguments& arguments) {
  Node list = anchor(match, arguments.one("of", "match"));
  static const re2::RE2 version(R"((["'])((?:\d+\.)*)(\d+)["'])");
  std::string quote, head, next_head;
  int number = 0, last = -1;
  for (Node item : list.named_children()) {
    if (!re2::RE2::FullMatch(item.text(), version, &quote, &next_head, &number)) return {};
    if (last >= 0 && next_head != head) return {};
    head = next_head;
    last = std::max(last, number);
  }
  if (last < 0 || list.named_child_count() < 2) return {};
  std::string one = fmt::format("{}{}{}{}", quote, head, last + 1, quote);
  return {{one, 1}, {fmt::format("{}, {}{}{}{}", one, quote, head, last + 2, quote), 0.8}};
}

/// A text with one word part changed for another (minor -> major), in its own case, when the file
/// has it (new: yes for any).
std::vector<Ingredient> renamed_text(const Match& match, const Arguments& arguments) {
  std::string text = text_of(match, arguments, "of"), from = arguments.one("from"),
              to = arguments.one("to");
  auto upper = [](std::string word) {
    for (char& c : word) c = char(std::toupper(static_cast<unsigned char>(c)));
    return word;
  };
  std::string changed = replace_all(replace_all(text, from, to), upper(from), upper(to));
  bool wanted =
      arguments.one("new") == "yes" || match.file.text().find(changed) != std::string_view::npos;
  bool known = changed != text && wanted;
  return known ? std::vector<Ingredient>{{changed, 1}} : std::vector<Ingredient>{};
}

/// Whether a call calls the function that a message names; unknown when the tree has none of that
/// name.
Truth calls_named(const Match& match, const Arguments& arguments) {
  Node call = call_at(anchor(match, arguments.one("call", "match")));
  if (!call) return Truth::kFalse;
  std::vector<std::string> parts = split(text_of(match, arguments, "qualified"), '.');
  if (parts.empty()) return Truth::kUnknown;
  std::string last = parts.back(), called(called_name(call));
  if (called == last) return Truth::kTrue;
  if (last == "__init__" || last == "__new__") {
    if (parts.size() < 2) return Truth::kUnknown;
    last = parts[parts.size() - 2];
    if (called == last || called == "cls" || called == "super") return Truth::kTrue;
  }
  if (last == "forward" || last == "__call__" || last == "wrapper" || last == "<lambda>")
    return Truth::kUnknown;
  return match.input.tree.files_defining(last).empty() ? Truth::kUnknown : Truth::kFalse;
}

Truth check_mentions(const Match& match, const Arguments& arguments) {
  for (const std::string& word : arguments.all("any")) {
    if (mentions_word(match.input.check_text, word) ||
        mentions_word(match.input.failure.message, word))
      return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether two arguments look as if each belongs in the other's place.
Truth crossed(const Match& match, const Arguments& arguments) {
  Node a = anchor(match, arguments.one("a")), b = anchor(match, arguments.one("b"));
  if (!a || !b || !(a.parent() == b.parent())) return Truth::kFalse;
  std::string slot_a = slot_of(match, a), slot_b = slot_of(match, b);
  if (slot_a.empty() || slot_b.empty()) return Truth::kUnknown;
  auto alike = [](Node argument, const std::string& slot) {
    return name_similarity(last_name(argument.text()), slot);
  };
  double straight = alike(a, slot_a) + alike(b, slot_b),
         across = alike(a, slot_b) + alike(b, slot_a);
  if (across > straight + 0.4) return Truth::kTrue;
  return straight > across + 0.4 ? Truth::kFalse : Truth::kUnknown;
}

/// Whether a positional argument is named like a parameter other than the one that it fills.
Truth misplaced(const Match& match, const Arguments& arguments) {
  Node argument = anchor(match, arguments.one("argument", "match"));
  auto index = position_of(argument);
  auto callee = index ? callee_parameters(match, argument.parent().parent()) : std::nullopt;
  if (!callee) return Truth::kFalse;
  std::string_view name = last_name(argument.text());
  for (std::size_t i = 0; i < callee->parameters.size(); ++i) {
    if (callee->parameters[i].name == name) return i == *index ? Truth::kFalse : Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether the statement of the match (the header of a compound one) holds the regular expression.
Truth statement_mentions(const Match& match, const Arguments& arguments) {
  Node statement = enclosing_statement(match.node);
  std::string_view text = statement.text();
  Node body =
      statement.field("consequence") ? statement.field("consequence") : statement.field("body");
  if (body) text = text.substr(0, body.range().start - statement.range().start);
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), arguments.one("regex"))
             ? Truth::kTrue
             : Truth::kFalse;
}

Truth unused_parameter(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "hole");
  Node function = enclosing_function(match.node);
  if (!function) return Truth::kFalse;
  for (const ParameterSyntax& parameter : unread_parameters(function)) {
    if (parameter.name == name) return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Adds an annotated field to a class: behind the last one there is, else at the start of the body.
bool add_field(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node cls = anchor(match, arguments.one("add_field"));
  if (cls.kind() != "class_definition") return false;
  std::string field = text_of(match, arguments, "field");
  Node last, first;
  for (Node statement : cls.field("body").named_children()) {
    if (!first) first = statement;
    Node assignment =
        statement.kind() == "expression_statement" ? statement.named_child(0) : Node();
    if (assignment.kind() == "assignment" && assignment.field("type")) last = statement;
  }
  if (!first) return false;
  bool docstring =
      first.kind() == "expression_statement" && first.named_child(0).kind() == "string";
  bool hollow = first.kind() == "pass_statement";
  edits[cls.file()->path()].push_back(last        ? insert_after(last, field)
                                      : hollow    ? replace_statement(first, field)
                                      : docstring ? insert_after(first, field)
                                                  : insert_before(first, field));
  return true;
}

/// Turns a positional argument and those behind it into keyword arguments: by their own names where
/// the callee has such parameters, else by place.
bool by_keyword(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node argument = anchor(match, arguments.one("by_keyword"));
  auto index = position_of(argument);
  auto callee = index ? callee_parameters(match, argument.parent().parent()) : std::nullopt;
  if (!callee) return false;
  auto takes = [&](std::string_view name) {
    return std::any_of(callee->parameters.begin(), callee->parameters.end(),
                       [&](const Parameter& p) { return p.name == name && !is_variable(p); });
  };
  std::set<std::string> used;
  for (const std::string& name : keywords_of(argument.parent().parent())) used.insert(name);
  std::vector<Node> all = argument.parent().named_children();
  std::vector<Edit> steps;
  for (std::size_t i = *index;
       i < all.size() && !all[i].is({"keyword_argument", "dictionary_splat"}); ++i) {
    std::string name(last_name(all[i].text()));
    if (!takes(name) || used.contains(name)) {
      bool place = i < callee->parameters.size() && !is_variable(callee->parameters[i]);
      if (!place || i == *index) return false;
      name = callee->parameters[i].name;
    }
    if (!used.insert(name).second) return false;
    std::uint32_t start = all[i].range().start;
    steps.push_back({{start, start}, name + "="});
  }
  for (Edit& edit : steps) edits[match.file.path()].push_back(std::move(edit));
  return !steps.empty();
}

/// Gives a function a parameter and passes it to the call of its body that takes one of that name.
bool thread_keyword(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node function = anchor(match, arguments.one("thread_keyword"));
  if (function.kind() != "function_definition") return false;
  std::string name = text_of(match, arguments, "name"), default_text = "None";
  std::vector<Node> takers, kindred;
  walk(function.field("body"), [&](Node node) {
    if (node.kind() != "call" || contains(keywords_of(node), name)) return true;
    if (auto callee = callee_parameters(match, node)) {
      for (const Parameter& parameter : callee->parameters) {
        if (parameter.name != name) continue;
        takers.push_back(node);
        if (parameter.has_default && parameter.default_text.size() < 20)
          default_text = parameter.default_text;
      }
      if (callee->any_keyword) kindred.push_back(node);
    } else if (called_name(node) == function.field("name").text()) {
      kindred.push_back(node);
    }
    return true;
  });
  if (takers.empty() && kindred.empty()) return false;
  bool exact = !takers.empty();
  std::string parameter = exact ? fmt::format("{}={}", name, default_text) : "**kwargs";
  auto edit = add_parameter(function, parameter);
  if (!edit) return false;
  edits[function.file()->path()].push_back(std::move(*edit));
  for (Node call : exact ? takers : kindred) {
    edits[function.file()->path()].push_back(
        add_keyword_argument(call, exact ? fmt::format("{}={}", name, name) : "**kwargs"));
    if (!exact) break;
  }
  return true;
}

/// Adds `name=value`, `**rest` or a positional argument to a call.
bool pass_argument(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node call = call_at(anchor(match, arguments.one("pass_argument")));
  if (!call) return false;
  std::string argument = text_of(match, arguments, "argument");
  static const re2::RE2 keyword(R"((\w+)\s*=[^=].*)");
  std::string name;
  bool named = re2::RE2::FullMatch(argument, keyword, &name);
  if (named && contains(keywords_of(call), name)) return false;
  bool splat = argument.starts_with("**");
  edits[call.file()->path()].push_back(splat   ? add_keyword_argument(call, argument)
                                       : named ? add_keyword_argument(call, argument)
                                               : add_positional_argument(call, argument));
  return true;
}

/// Replaces a node and all others with the same text, in the function or the file (in: rest for the
/// match's statement and those behind it, conditions for whole conditions of the function).
bool replace_everywhere(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node like = anchor(match, arguments.one("replace_all"));
  if (!like) return false;
  Node function = enclosing_function(like);
  std::string where = arguments.one("in", "function");
  Node scope = where != "file" && function ? function.field("body") : match.file.root();
  std::uint32_t from = where == "rest" ? enclosing_statement(like).range().start : 0;
  std::string code = text_of(match, arguments, "with");
  std::size_t found = 0;
  walk(scope, [&](Node node) {
    if (node.range().end <= from) return false;
    if (node.kind() != like.kind() || node.text() != like.text() || node.range().start < from)
      return true;
    Node parent = node.parent();
    bool name_only = node.kind() == "identifier" &&
                     ((parent.kind() == "attribute" && parent.field("attribute") == node) ||
                      (parent.kind() == "keyword_argument" && parent.field("name") == node));
    if (name_only && !(node == like)) return false;
    if (where == "conditions" && decision_of(node) != Decision::kWhole) return true;
    // What is assigned to stays what it is.
    bool target = where == "rest" && parent.is({"assignment", "augmented_assignment"}) &&
                  parent.field("left") == node;
    if (target) return false;
    edits[match.file.path()].push_back({node.range(), fit_into(node, code)});
    ++found;
    return false;
  });
  return found > 0;
}

/// Gives a parameter a default (or another one); those behind it that have none get the same.
bool set_default(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node function = anchor(match, arguments.one("set_default"));
  if (function.kind() != "function_definition") return false;
  std::string wanted = text_of(match, arguments, "parameter"),
              value = text_of(match, arguments, "value");
  bool behind = false, keyword_only = false, done = false;
  for (Node node : function.field("parameters").named_children()) {
    if (node.is({"keyword_separator", "list_splat_pattern"})) keyword_only = true;
    bool has_default = node.is({"default_parameter", "typed_default_parameter"});
    bool typed = node.kind() == "typed_parameter" && node.named_child(0).kind() == "identifier";
    bool required = node.kind() == "identifier" || typed;
    std::string_view name = has_default                     ? node.field("name").text()
                            : node.named_child_count() == 0 ? node.text()
                                                            : node.named_child(0).text();
    bool is_it = name == wanted && (has_default || required);
    if (is_it && has_default) {
      edits[function.file()->path()].push_back({node.field("value").range(), value});
      return true;
    }
    if (required && (is_it || (behind && !keyword_only))) {
      std::uint32_t end = node.range().end;
      edits[function.file()->path()].push_back({{end, end}, (typed ? " = " : "=") + value});
      done = true;
    }
    behind |= is_it;
    if (behind && keyword_only) break;
  }
  return done;
}

}  // namespace suture
