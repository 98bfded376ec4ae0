#include "repair/propose/stand_ins.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/lookups.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

bool is_called(Node node) {
  return node.parent().kind() == "call" && node.parent().field("function") == node;
}

bool is_written(Node node) {
  Node parent = node.parent();
  return (parent.kind() == "assignment" && parent.field("left") == node) ||
         parent.is({"pattern_list", "tuple_pattern"});
}

bool is_constant(std::string_view name) {
  bool letter = false;
  for (char c : name) {
    if (c >= 'a' && c <= 'z') return false;
    letter |= c >= 'A' && c <= 'Z';
  }
  return letter;
}

bool has_member(const Value& value, std::string_view name) {
  return value.attributes.contains(std::string(name)) || contains(value.members, name);
}

/// The content of the string literals of a text, short ones only.
std::set<std::string> literals_in(std::string_view text) {
  static const RE2 form(R"x("([^"'\n{}]{1,60})"|'([^"'\n{}]{1,60})')x");
  std::set<std::string> found;
  std::string copy(text), a, b;
  re2::StringPiece rest(copy);
  while (RE2::FindAndConsume(&rest, form, &a, &b)) found.insert(a.empty() ? b : a);
  return found;
}

/// Whether two strings are spelled in the same manner, as entries of one table are.
bool alike_in_form(std::string_view a, std::string_view b) {
  auto form = [](std::string_view text) {
    bool lower = false, upper = false, blank = false, dot = false;
    for (char c : text) {
      lower |= c >= 'a' && c <= 'z';
      upper |= c >= 'A' && c <= 'Z';
      blank |= c == ' ';
      dot |= c == '.' || c == '/';
    }
    return std::make_tuple(lower, upper, blank, dot);
  };
  return form(a) == form(b);
}

std::string content_of(Node string) {
  for (Node child : string.named_children()) {
    if (child.kind() == "string_content") return std::string(child.text());
  }
  return {};
}

/// The literal as the neighbours are quoted.
std::string quoted_like(Node string, const std::string& content) {
  char quote = string.text().find('\'') < string.text().find('"') ? '\'' : '"';
  return fmt::format("{}{}{}", quote, content, quote);
}

}  // namespace

/// The other words of the groups ("append extend insert") that begin with the word, else of those
/// that hold it.
std::vector<Ingredient> alternatives(const Match& match, const Arguments& arguments) {
  std::string word = text_of(match, arguments, "of");
  Basket basket;
  const std::vector<std::string>& groups = arguments.all("groups");
  bool heads = std::any_of(groups.begin(), groups.end(),
                           [&](auto& group) { return split(group, ' ').front() == word; });
  for (const std::string& group : groups) {
    std::vector<std::string> words = split(group, ' ');
    if (heads ? words.front() != word : !contains(words, word)) continue;
    double weight = 1;
    for (const std::string& other : words) {
      if (other == word || other.empty()) continue;
      basket.add(other, weight);
      weight *= 0.8;
    }
  }
  return basket.take();
}

/// Names that hold another value of the function: those that nothing reads and those alike first.
std::vector<Ingredient> other_names(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("of", "match"));
  if (!node) return {};
  std::string name(node.text());
  const Value* wanted = observed(match, name);
  Node function = enclosing_function(node), statement = enclosing_statement(node);
  bool in_class = function && enclosing_class(function);
  bool simple = statement.is({"expression_statement", "return_statement", "assert_statement"});
  Basket basket;
  for (const ScopeName& other : names_in_scope(node)) {
    if (other.text == name || other.text == "self" || other.text == "cls" ||
        other.text.starts_with("__"))
      continue;
    bool own =
        other.origin == ScopeName::Origin::kParameter || other.origin == ScopeName::Origin::kLocal;
    double weight = own                                             ? 0.8
                    : other.origin == ScopeName::Origin::kLoop      ? 0.7
                    : other.origin == ScopeName::Origin::kEnclosing ? 0.5
                    : other.origin == ScopeName::Origin::kModule    ? 0.3
                                                                    : 0;
    if (weight == 0 || !other.bound_before) continue;
    double similarity = name_similarity(other.text, name);
    if (other.origin == ScopeName::Origin::kModule &&
        (is_constant(other.text) != is_constant(name) || similarity < 0.5))
      continue;
    weight *= (0.2 + 0.8 * similarity) * type_fit(match, other.text, wanted);
    // A value that is made and never used was meant for somewhere.
    if (own && function && reads_of(function.field("body"), other.text).empty() &&
        !(in_class && other.text.starts_with("_"))) {
      weight = std::max(weight * 2, 0.45 * type_fit(match, other.text, wanted));
    } else if (simple && mentions_word(statement.text(), other.text)) {
      weight *= 0.7;
    }
    if (weight >= 0.15) basket.add(other.text, weight);
  }
  return basket.take();
}

/// Other attributes of the object of an attribute: those set and never read, those alike, those
/// used nearby in the same manner (called or not).
std::vector<Ingredient> other_attributes(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("of", "match"));
  if (node.kind() != "attribute") return {};
  std::string object(node.field("object").text()), name(node.field("attribute").text());
  bool called = is_called(node);
  Node function = enclosing_function(node), cls = enclosing_class(node);
  const Value* wanted = observed(match, node.text());
  struct Use {
    double weight = 0;
    bool called = false, read = false, written = false;
  };
  std::map<std::string, Use> uses;
  for_each_of(match.file.root(), {"attribute"}, [&](Node other) {
    if (other.field("object").text() != object) return;
    bool near = function && function.range().contains(other.range());
    bool own_class = cls && cls.range().contains(other.range());
    if (object == "self" && !own_class) return;
    Use& use = uses[std::string(other.field("attribute").text())];
    use.weight = std::max(use.weight, near ? 1.0 : own_class ? 0.8 : 0.5);
    use.called |= is_called(other);
    use.written |= is_written(other);
    use.read |= !is_written(other);
  });
  Basket basket;
  for (const auto& [other, use] : uses) {
    if (other == name) continue;
    double similarity = name_similarity(other, name);
    double fit = type_fit(match, object + "." + other, wanted);
    double weight = use.weight * (0.15 + 0.85 * similarity) * fit;
    if (use.written && !use.read && object == "self")
      weight = std::max(weight * 2, 0.5 * fit);
    else if (use.called != called)
      weight *= 0.4;
    if (weight >= 0.2) basket.add(other, weight);
  }
  for (const std::string& other : members_of_expression(match, object)) {
    double similarity = name_similarity(other, name);
    if (other == name || similarity < 0.55 || other.starts_with("__")) continue;
    basket.add(other, 0.6 * similarity * type_fit(match, object + "." + other, wanted));
  }
  return basket.take();
}

/// Expressions at the match whose value has an attribute of that name: `self`, `self.config`,
/// `module`.
std::vector<Ingredient> owners_of(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name"),
              instead_of = text_of(match, arguments, "except");
  Basket basket;
  auto relation = [&](const std::string& owner) {
    bool part = owner.starts_with(instead_of + ".") || instead_of.starts_with(owner + ".");
    return !instead_of.empty() && part ? 1.3 : 1.0;
  };
  auto offer = [&](const std::string& owner, double weight) {
    if (owner != instead_of) basket.add(owner, weight * relation(owner));
  };
  for (const std::string& attribute : self_attributes(match.node)) {
    if (attribute == "self." + name && instead_of != "self") offer("self", 0.75);
    if (attribute == "cls." + name && instead_of != "cls") offer("cls", 0.75);
  }
  if (Node cls = enclosing_class(match.node)) {
    Node function = enclosing_function(match.node);
    auto parameters = function ? parameters_of(function) : std::vector<ParameterSyntax>();
    std::string first = parameters.empty() ? "" : parameters.front().name;
    for (const std::string& object : {std::string("self"), std::string("cls")}) {
      if (first == object && contains(members_of_expression(match, object), name))
        offer(object, 0.75);
    }
  }
  if (const Values* scope = observed_scope(match)) {
    for (const auto& [local, value] : *scope) {
      if (!is_identifier(local)) continue;
      if (has_member(value, name)) offer(local, 0.7);
      for (const auto& [attribute, inner] : value.attributes) {
        if (is_identifier(attribute) && has_member(inner, name))
          offer(local + "." + attribute, 0.6);
      }
    }
  }
  // Objects that the file asks for that very attribute.
  std::set<std::string> names = {"self", "cls"};
  for (const ScopeName& scope : names_in_scope(match.node)) names.insert(scope.text);
  Node function = enclosing_function(match.node);
  for_each_of(match.file.root(), {"attribute"}, [&](Node node) {
    if (node.field("attribute").text() != name || node.range() == match.node.range()) return;
    std::string object(node.field("object").text());
    bool plain = node.field("object").is({"identifier", "attribute"}) && object.size() < 50;
    bool near = function && function.range().contains(node.range());
    if (plain && names.contains(split(object, '.').front())) offer(object, near ? 0.7 : 0.45);
  });
  // Modules that the file imports.
  for (const Definition& definition : match.input.tree.outline(match.file.path())) {
    if (definition.kind != Definition::Kind::kImport || definition.name == name) continue;
    if (contains(members_of_expression(match, definition.name), name)) offer(definition.name, 0.5);
  }
  return basket.take();
}

/// Entries that a list, set, tuple or dict of names or strings may lack: what check and message
/// name, what a table with the same entries has.
std::vector<Ingredient> registry_additions(const Match& match, const Arguments& arguments) {
  Node table = anchor(match, arguments.one("to", "match"));
  if (!table.is({"list", "set", "tuple", "dictionary"})) return {};
  std::vector<Node> items = table.named_children();
  if (items.empty()) return {};
  bool dict = table.kind() == "dictionary";
  std::set<std::string> present;
  std::vector<Node> keys;
  for (Node item : items) {
    Node key = dict && item.kind() == "pair" ? item.field("key") : item;
    if (!key || !key.is({"string", "identifier", "attribute"})) continue;
    keys.push_back(key);
    present.insert(key.kind() == "string" ? content_of(key) : std::string(key.text()));
  }
  if (keys.empty() || keys.size() * 2 < items.size()) return {};
  Node like = keys.back();
  Basket basket;
  auto nearest = [&](const std::string& word) {
    double best = 0;
    std::size_t at = keys.size() - 1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      double similarity = name_similarity(
          word, keys[i].kind() == "string" ? content_of(keys[i]) : std::string(keys[i].text()));
      if (similarity > best) best = similarity, at = i;
    }
    return std::make_pair(best, at);
  };
  auto offer = [&](const std::string& word, const std::string& code, double weight) {
    if (present.contains(word)) return;
    auto [similarity, at] = nearest(word);
    weight *= 0.4 + 0.6 * similarity;
    if (!dict) return basket.add(code, weight);
    Node pair = keys[at].parent();
    std::string value(pair.field("value").text());
    // `"big": Big` for `"small": Small`.
    if (pair.field("key").kind() == "string" && pair.field("value").kind() == "identifier") {
      for (const ScopeName& name : names_in_scope(table)) {
        bool unused = std::none_of(items.begin(), items.end(), [&](Node item) {
          return mentions_word(item.text(), name.text);
        });
        if (unused && name_similarity(name.text, word) > 0.7)
          basket.add(code + ": " + name.text, std::min(1.0, weight * 1.5));
      }
    }
    basket.add(code + ": " + value, weight * 0.7);
  };
  const std::string& message = match.input.failure.message;
  if (like.kind() == "string") {
    for (const std::string& word : literals_in(match.input.failure.message)) {
      if (alike_in_form(word, content_of(like))) offer(word, quoted_like(like, word), 0.9);
    }
    for (const std::string& word : literals_in(match.input.check_text)) {
      if (alike_in_form(word, content_of(like))) offer(word, quoted_like(like, word), 0.6);
    }
    for (std::string_view word : identifiers(match.input.check_text)) {
      bool same_form = word.size() > 3 && alike_in_form(word, content_of(like)) &&
                       is_identifier(content_of(like));
      if (same_form && nearest(std::string(word)).first >= 0.5)
        offer(std::string(word), quoted_like(like, std::string(word)), 0.5);
    }
  } else {
    for (const ScopeName& name : names_in_scope(table)) {
      if (!alike_in_form(name.text, like.text())) continue;
      bool told =
          mentions_word(match.input.check_text, name.text) || mentions_word(message, name.text);
      bool kin = nearest(name.text).first >= 0.5;
      if (told || kin) offer(name.text, name.text, told ? 0.8 : 0.3);
    }
  }
  // A table that shares two entries and has one more.
  for_each_of(match.file.root(), {table.kind()}, [&](Node other) {
    if (other == table || dict) return;
    std::size_t shared = 0;
    for (Node item : other.named_children()) {
      shared += std::any_of(items.begin(), items.end(),
                            [&](Node own) { return own.text() == item.text(); })
                    ? 1
                    : 0;
    }
    for (Node item : shared >= 2 ? other.named_children() : std::vector<Node>()) {
      std::string word = item.kind() == "string" ? content_of(item) : std::string(item.text());
      if (item.kind() == like.kind()) offer(word, std::string(item.text()), 0.7);
    }
  });
  std::vector<Ingredient> all = basket.take();
  // Two that are about as likely may be missing together.
  if (all.size() > 1 && all[1].weight > 0.8 * all[0].weight) {
    all.push_back({all[0].text + ", " + all[1].text, all[1].weight * 0.9});
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.weight > b.weight; });
  }
  return all;
}

// ---- predicates ----

/// Whether the class of the match mentions `self.name`.
Truth attribute_of_class(const Match& match, const Arguments& arguments) {
  Node cls = enclosing_class(match.node);
  std::string wanted = "self." + text_of(match, arguments, "name");
  std::string_view text = cls.text();
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;
       at = text.find(wanted, at + 1)) {
    if (mentions_word(text.substr(at + 5, wanted.size() - 4), wanted.substr(5)))
      return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether a plain string holds `{name}` for names that are there, and nothing formats it.
Truth formats_names(const Match& match, const Arguments& arguments) {
  Node string = anchor(match, arguments.one("hole", "match"));
  if (string.kind() != "string" || string.child_count() == 0) return Truth::kFalse;
  std::string_view start = string.child(0).text();
  if (start.find_first_of("fFbBuU") != std::string_view::npos) return Truth::kFalse;
  // What is cheap comes first: every string of a file is asked.
  static const RE2 field(
      R"(\{([A-Za-z_]\w*)(?:\.\w+|\[[^\]{}]*\]|\([^(){}]*\))*(?:![rsa])?(?::[^{}]*)?=?\})");
  std::string_view text = string.text();
  if (text.find('{') == std::string_view::npos || text.find("{{") != std::string_view::npos ||
      text.find("{}") != std::string_view::npos)
    return Truth::kFalse;
  std::string name;
  std::set<std::string> wanted;
  re2::StringPiece rest(text.data(), text.size());
  while (RE2::FindAndConsume(&rest, field, &name)) wanted.insert(name);
  if (wanted.empty()) return Truth::kFalse;
  for (Node node = string.parent(); node && !node.is({"block", "module"}); node = node.parent()) {
    bool formatted = node.kind() == "attribute" ||
                     (node.kind() == "binary_operator" && node.field("operator").text() == "%");
    if (formatted || node.is({"dictionary", "default_parameter"})) return Truth::kFalse;
  }
  if (string.parent().kind() == "expression_statement") return Truth::kFalse;  // a docstring
  std::set<std::string> names = {"self", "cls"};
  for (const ScopeName& scope : names_in_scope(string)) names.insert(scope.text);
  return truth(std::includes(names.begin(), names.end(), wanted.begin(), wanted.end()));
}

/// Whether the value of an expression, as the run showed it, has a member of that name.
Truth observed_member(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "object"));
  if (value == nullptr || (value->members.empty() && value->attributes.empty()) || value->dynamic)
    return Truth::kUnknown;
  return has_member(*value, text_of(match, arguments, "name")) ? Truth::kTrue : Truth::kFalse;
}

}  // namespace suture
