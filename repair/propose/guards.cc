#include "repair/propose/guards.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/condition.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/lookups.h"
#include "repair/propose/usable_names.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

bool is_callee(Node node) {
  return node.parent().kind() == "call" && node.parent().field("function") == node;
}

/// Names and whole attribute chains that a node reads, what it calls and keyword names left out.
std::vector<Node> chains_in(Node root) {
  std::vector<Node> chains;
  walk(root, [&](Node node) {
    if (node.kind() == "keyword_argument") {
      for (Node inner : chains_in(node.field("value"))) chains.push_back(inner);
      return false;
    }
    if (node.kind() == "attribute") {
      bool plain = RE2::FullMatch(node.text(), R"([\w.]+)");
      // Of `a.b.f()` it is `a.b` that is read.
      if (is_callee(node)) return true;
      if (plain) chains.push_back(node);
      return !plain;
    }
    bool label = node.parent().kind() == "attribute" && node.parent().field("attribute") == node;
    if (node.kind() == "identifier" && !label && !is_callee(node)) chains.push_back(node);
    return true;
  });
  return chains;
}

/// String literals that a node compares or lists, as written.
std::vector<std::string> texts_in(Node node) {
  std::vector<std::string> texts;
  walk(node, [&](Node part) {
    if (part.kind() != "string") return !is_callee(part);
    bool plain = part.text().size() > 2 && part.text().size() < 40 &&
                 (part.text().front() == '"' || part.text().front() == '\'');
    if (plain) texts.emplace_back(part.text());
    return false;
  });
  return texts;
}

std::string unquoted(std::string_view literal) {
  return std::string(literal.substr(1, literal.size() - 2));
}

/// The parts of a statement that uses a member of a chain: `OBJECT.member(...)`, `OBJECT.member =
/// v`.
struct MemberUse {
  Node object;
  std::string member, rest;  ///< `rest`: what stands behind the member
  bool is_call = false;
  explicit operator bool() const { return bool(object); }
};

MemberUse member_use(Node statement) {
  if (statement.kind() != "expression_statement" || statement.line() != statement.end_line())
    return {};
  Node inner = statement.named_child(0), member;
  bool is_call = inner.kind() == "call";
  if (is_call) member = inner.field("function");
  if (inner.kind() == "assignment" && inner.field("right")) member = inner.field("left");
  if (member.kind() != "attribute" || !RE2::FullMatch(member.text(), R"([\w.]+)")) return {};
  std::size_t behind = member.range().end - statement.range().start;
  return {member.field("object"), std::string(member.field("attribute").text()),
          std::string(statement.text().substr(behind)), is_call};
}

/// Whether a link of a chain is named like something that holds another one of its kind.
bool wraps_its_kind(std::string_view name) {
  static const RE2 words(
      R"(_?(?:\w+_)?(?:sampler|loader|dataloader|dataset|model|module|optimizer|scheduler|tokenizer|env|layer|logger|stream|backend|client|engine|runner|handler|parser|reader|writer|iterator|transport|connection|session|inner|base|wrapped))");
  return RE2::FullMatch(name, words);
}

/// Whether the function ends by calling itself again for parts.
bool is_recursive(Node function) {
  std::string_view name = function.field("name").text();
  bool found = false;
  walk(function.field("body"), [&](Node node) {
    found |= node.kind() == "call" && called_name(node) == name;
    return !found;
  });
  return found;
}

/// Whether the function calls what it knows by that name.
bool is_called_in(Node function, std::string_view name) {
  bool found = false;
  walk(function.field("body"), [&](Node node) {
    found |= node.kind() == "call" && node.field("function").text() == name;
    return !found;
  });
  return found;
}

/// Whether what the function binds the name to, or does to it, shows a collection.
bool is_collection(const Match& match, Node scope, const std::string& name) {
  if (const Value* value = observed(match, name); value != nullptr && value->known())
    return contains({"list", "set", "dict", "tuple", "deque", "OrderedDict", "defaultdict"},
                    value->type);
  bool shown = false;
  walk(scope, [&](Node node) {
    if (node.kind() == "assignment" && node.field("left").text() == name) {
      Node right = node.field("right");
      shown |= right.is({"list", "set", "dictionary", "list_comprehension", "set_comprehension",
                         "dictionary_comprehension"}) ||
               (right.kind() == "call" &&
                contains({"list", "set", "dict", "tuple", "sorted"}, called_name(right)));
    }
    if (node.kind() == "attribute" && node.field("object").text() == name && is_callee(node))
      shown |=
          contains({"append", "add", "extend", "update", "keys"}, node.field("attribute").text());
    return !shown;
  });
  return shown;
}

/// Whether a statement does nothing but tell: a log call, a warning, a print.
bool only_tells(Node statement) {
  Node call = statement.kind() == "expression_statement" ? statement.named_child(0) : Node();
  static const RE2 names(
      "print|warn|warning|info|error|debug|log|critical|exception|\\w*log_\\w+|"
      "print_\\w+|rank_zero_\\w+|warning_once|warn_once");
  if (statement.kind() == "raise_statement") return true;
  return call.kind() == "call" && RE2::FullMatch(called_name(call), names);
}

/// Words of the modules that a node imports.
std::set<std::string> imported_words(Node root) {
  std::set<std::string> words;
  auto take = [&](Node name) {
    for (const std::string& part : split(name.text(), '.')) {
      for (const std::string& word : word_parts(part)) words.insert(word);
    }
  };
  walk(root, [&](Node node) {
    if (node.kind() == "import_from_statement") take(node.field("module_name"));
    if (node.kind() == "import_statement") {
      for (Node name : node.named_children())
        take(name.kind() == "aliased_import" ? name.field("name") : name);
    }
    return !node.is({"import_from_statement", "import_statement"});
  });
  return words;
}

/// A module as a file of the same package would write it in an import: `.parts` where the file's
/// imports are relative.
std::string as_written(const Match& match, const std::string& module) {
  std::string own = match.input.tree.module_of_file(match.file.path());
  bool relative = RE2::PartialMatch(match.file.text(), R"((?m)^from \.)");
  std::string folder = own.substr(0, own.rfind('.') == std::string::npos ? 0 : own.rfind('.') + 1);
  if (!relative || folder.empty()) return module;
  std::string dots = ".";
  for (; !folder.empty(); dots += '.') {
    if (module.starts_with(folder)) return dots + module.substr(folder.size());
    std::size_t up = folder.size() < 2 ? std::string::npos : folder.rfind('.', folder.size() - 2);
    folder = up == std::string::npos ? "" : folder.substr(0, up + 1);
  }
  return module;
}

}  // namespace

/// Calls of predicates of the project that tell whether a module is there, for the modules that
/// the body of the matched `if` imports.
std::vector<Ingredient> availability_guards(const Match& match, const Arguments&) {
  Node body = match.node.field("consequence");
  std::set<std::string> words = imported_words(body);
  if (words.empty()) return {};
  SourceTree& tree = match.input.tree;
  std::set<std::string> files = {match.file.path()};
  for (const Definition& definition : tree.outline(match.file.path())) {
    if (definition.kind != Definition::Kind::kImport || definition.source_module.empty()) continue;
    auto file =
        tree.file_of_module(tree.absolute_module(match.file.path(), definition.source_module));
    if (file) files.insert(*file);
  }
  auto folder = [](std::string_view path) { return path.substr(0, path.rfind('/') + 1); };
  for (const std::string& path : tree.paths()) {
    if (folder(path) == folder(match.file.path()) && path.ends_with(".py")) files.insert(path);
  }
  static const RE2 form(
      R"((?m)^def ((?:is|has|have|supports)_\w+|\w+_(?:available|installed|supported))\(\)[^\n]*:\n((?:[ \t].*\n|\n)*))");
  static const RE2 asks("import|find_spec|version|_available|hasattr|sys\\.modules");
  static const std::set<std::string> filling = {"is",        "has",       "have",      "supports",
                                                "available", "installed", "supported", "current"};
  std::string_view own = match.node.field("condition").text();
  Basket basket;
  for (const std::string& path : files) {
    std::string_view bytes = tree.bytes(path);
    re2::StringPiece rest(bytes.data(), bytes.size());
    std::string name, code;
    while (RE2::FindAndConsume(&rest, form, &name, &code)) {
      if (!RE2::PartialMatch(code, asks) || mentions_word(own, name)) continue;
      double told = 0;
      bool foreign = false;
      for (const std::string& word : word_parts(name)) {
        if (filling.contains(word)) continue;
        words.contains(word) ? void(told += 1) : void(foreign = true);
      }
      if (told > 0 && !foreign) basket.add(name + "()", std::min(0.95, 0.35 + 0.3 * told));
    }
  }
  return basket.take();
}

/// `not v` for a variable of a loop around the matched condition, or a parameter of a function that
/// calls itself, where what the condition tests was made from it.
std::vector<Ingredient> empty_items(const Match& match, const Arguments&) {
  Node function = enclosing_function(match.node);
  if (!function || match.node.kind() != "identifier") return {};
  std::set<std::string> items;
  for (Node node = match.node; node && !(node == function); node = node.parent()) {
    if (node.kind() != "for_statement") continue;
    for (Node name : chains_in(node.field("left"))) items.emplace(name.text());
  }
  if (is_recursive(function)) {
    for (const ParameterSyntax& parameter : parameters_of(function)) {
      if (parameter.name != "self" && parameter.name != "cls" && parameter.prefix.empty())
        items.insert(parameter.name);
    }
  }
  // The assignment that made it.
  Node made;
  walk(function.field("body"), [&](Node node) {
    bool before = node.range().end <= match.node.range().start;
    if (node.kind() == "assignment" && before && node.field("right").kind() == "call") {
      for (Node target : chains_in(node.field("left")))
        if (target.text() == match.node.text()) made = node.field("right");
    }
    return node.range().start < match.node.range().start;
  });
  if (!made) return {};
  Basket basket;
  for (Node argument : positional_arguments(made)) {
    std::string text(argument.text());
    if (!items.contains(text) || is_called_in(function, text)) continue;
    const Value* value = observed(match, text);
    bool empty = value != nullptr && value->length && *value->length == 0;
    basket.add("not " + text, empty ? 0.9 : 0.6);
  }
  return basket.take();
}

/// The matched statement, or the one in the body of the matched `if hasattr(...)`, for an object
/// one link nearer (link: outer) or further (inner), under a test of its own.
std::vector<Ingredient> link_statements(const Match& match, const Arguments& arguments) {
  Node statement = match.node, condition;
  if (statement.kind() == "if_statement") {
    condition = statement.field("condition");
    std::vector<Node> body = statement.field("consequence").named_children();
    if (body.size() != 1 || condition.text().find("hasattr(") == std::string_view::npos) return {};
    statement = body.front();
  }
  MemberUse use = member_use(statement);
  if (!use || use.object.kind() != "attribute" || (use.is_call && !condition)) return {};
  std::string object(use.object.text()), last(use.object.field("attribute").text());
  Node function = enclosing_function(statement);
  std::string_view code = function ? function.text() : match.file.text();
  Basket basket;
  if (arguments.one("link") == "outer") {
    std::string outer(use.object.field("object").text());
    std::string target = outer + "." + use.member;
    if (outer == "self" || outer == "cls" || mentions_word(code, target) || !condition) return {};
    if (code.find(target + "(") != std::string_view::npos ||
        code.find(target + " =") != std::string_view::npos)
      return {};
    basket.add(
        fmt::format("if hasattr({}, \"{}\"):\n    {}{}", outer, use.member, target, use.rest),
        wraps_its_kind(last) ? 0.8 : 0.5);
    return basket.take();
  }
  std::map<std::string, double> links;
  if (wraps_its_kind(last)) links[last] = 0.5;
  std::string_view file = match.file.text();
  if (file.find("." + last + "." + last) != std::string_view::npos ||
      file.find(fmt::format("{}, \"{}\")", object, last)) != std::string_view::npos)
    links[last] = 0.6;
  // What other code takes from the same link, and asks for.
  const RE2 further(fmt::format(R"(hasattr\([\w.]*\b{}, ["'](\w+)["']\))", RE2::QuoteMeta(last)));
  re2::StringPiece rest(file.data(), file.size());
  for (std::string name; RE2::FindAndConsume(&rest, further, &name);) {
    if (name != use.member) links[name] = std::max(links[name], wraps_its_kind(name) ? 0.5 : 0.2);
  }
  if (const Value* value = observed(match, object); value != nullptr) {
    for (const auto& [name, part] : value->attributes) {
      if (!name.starts_with('_') && contains(part.members, use.member)) links[name] = 0.8;
    }
  }
  for (const auto& [link, weight] : links) {
    std::string inner = object + "." + link;
    if (link == use.member || code.find(inner + ".") != std::string_view::npos) continue;
    std::string test = fmt::format("hasattr({}, \"{}\")", object, link);
    if (use.is_call) test += fmt::format(" and hasattr({}, \"{}\")", inner, use.member);
    basket.add(fmt::format("if {}:\n    {}.{}{}", test, inner, use.member, use.rest), weight);
  }
  return basket.take();
}

/// Tests that leave one value out of a branch that raises (of: its block): `E != 'literal'` for
/// what the message or the conditions around are about, with literals that the file knows for it.
std::vector<Ingredient> literal_exceptions(const Match& match, const Arguments& arguments) {
  Node body = anchor(match, arguments.one("of", "match"));
  Node raise;
  for (Node statement : body.named_children()) {
    if (statement.is({"raise_statement", "assert_statement"}) || only_tells(statement))
      raise = statement;
  }
  if (!raise) return {};
  std::map<std::string, double> subjects;
  for (Node chain : chains_in(raise)) subjects[std::string(chain.text())] = 1;
  Node function = enclosing_function(body);
  for (Node node = body; node && !(node == function); node = node.parent()) {
    if (!node.is({"if_statement", "elif_clause"})) continue;
    for (Node chain : chains_in(node.field("condition")))
      subjects.try_emplace(std::string(chain.text()), 0.6);
  }
  std::map<std::string, std::set<std::string>> literals;  // subject -> what it is compared with
  for_each_of(match.file.root(), {"comparison_operator"}, [&](Node node) {
    std::string left(node.named_child(0).text());
    if (!subjects.contains(left)) return;
    for (std::uint32_t i = 1; i < node.named_child_count(); ++i) {
      for (std::string& text : texts_in(node.named_child(i)))
        literals[left].insert(std::move(text));
    }
  });
  Basket basket;
  for (const auto& [subject, weight] : subjects) {
    const Value* value = observed(match, subject);
    bool known = value != nullptr && value->type == "str";
    if (value != nullptr && value->known() && !known) continue;
    std::string now = known ? literal_of(*value) : "";
    bool listed = false;
    for (const std::string& literal : literals[subject]) {
      bool is_now = known && !now.empty() && unquoted(literal) == unquoted(now);
      listed |= is_now;
      if (!known || is_now)
        basket.add(fmt::format("{} != {}", subject, literal), weight * (is_now ? 0.95 : 0.35));
    }
    if (known && !listed && now.size() > 2)
      basket.add(fmt::format("{} != {}", subject, now), weight * 0.4);
  }
  return basket.take();
}

/// Collections that the body of the matched `if` tells about, and that its condition does not test.
std::vector<Ingredient> reported_collections(const Match& match, const Arguments&) {
  Node condition = match.node.field("condition");
  std::vector<Node> body = match.node.field("consequence").named_children();
  if (body.size() != 1 || !only_tells(body.front())) return {};
  Node function = enclosing_function(match.node), cls = enclosing_class(match.node);
  Basket basket;
  for (Node chain : chains_in(body.front())) {
    std::string text(chain.text());
    if (condition.text().find(text) != std::string_view::npos || text == "self") continue;
    Node scope = text.starts_with("self.") && cls ? cls : function ? function : match.file.root();
    if (!is_collection(match, scope, text)) continue;
    const Value* value = observed(match, text);
    bool empty = value != nullptr && value->length && *value->length == 0;
    bool full = value != nullptr && value->length && *value->length > 0;
    basket.add(text, empty ? 0.95 : full ? 0.1 : 0.6);
  }
  return basket.take();
}

/// A type test of the matched one's expression that says the contrary with another type: `not
/// isinstance(x, A)` -> `isinstance(x, B)`, B a type that the file tests it for, or that it has.
std::vector<Ingredient> type_tests(const Match& match, const Arguments&) {
  Node call = match.node.kind() == "not_operator" ? match.node.field("argument") : match.node;
  bool negated = match.node.kind() == "not_operator";
  if (call.kind() != "call" || called_name(call) != "isinstance") return {};
  std::vector<Node> given = positional_arguments(call);
  if (given.size() != 2) return {};
  std::string subject(given[0].text());
  const std::set<std::string> usable = usable_names(match.node);
  const Value* value = observed(match, subject);
  // What a test for one type lets in says nothing about the others: there the run has to.
  if (!negated && (value == nullptr || !value->known())) return {};
  Node function = enclosing_function(match.node);
  Basket basket;
  auto offer = [&](const std::string& type, double weight) {
    if (mentions_word(given[1].text(), type) || given[1].text() == type) return;
    // With the type that it has the answer must come out otherwise than now.
    bool same = value != nullptr && type == value->type;
    bool was_type = value != nullptr && mentions_word(given[1].text(), value->type);
    if (value != nullptr && value->known() &&
        (negated ? !was_type : was_type) == (negated ? same : !same))
      weight *= 0.2;
    basket.add(fmt::format("{}isinstance({}, {})", negated ? "" : "not ", subject, type), weight);
  };
  for_each_of(match.file.root(), {"call"}, [&](Node node) {
    if (called_name(node) != "isinstance" || node == call) return;
    std::vector<Node> other = positional_arguments(node);
    if (other.size() != 2 || other[0].text() != subject) return;
    if (!is_usable(other[1], usable)) return;
    bool near = function && function.range().contains(node.range());
    offer(std::string(other[1].text()), near ? 0.6 : 0.35);
  });
  if (value != nullptr && value->known() && !value->none()) {
    bool builtin =
        contains({"int", "float", "str", "list", "tuple", "dict", "set", "bool"}, value->type);
    if (builtin || is_in_scope(match.node, value->type)) offer(value->type, 0.5);
  }
  return basket.take();
}

/// Tests of what the statements behind the matched guard use, where they do not use what it tests.
std::vector<Ingredient> used_behind(const Match& match, const Arguments&) {
  Node guard = match.node.parent();
  if (guard.kind() != "if_statement" || guard.field("alternative")) return {};
  std::vector<Node> body = guard.field("consequence").named_children();
  bool leaves = !body.empty() && body.back().is({"return_statement", "continue_statement",
                                                 "raise_statement", "break_statement"});
  Node tested = match.node.named_child(0), function = enclosing_function(guard);
  if (!leaves || !function || match.node.text().find(" is None") == std::string_view::npos)
    return {};
  std::set<std::string> own;
  for (const ParameterSyntax& parameter : parameters_of(function)) own.insert(parameter.name);
  std::set<std::string> values;
  for (const ScopeName& name : names_in_scope(guard)) {
    bool value =
        name.origin == ScopeName::Origin::kLocal || name.origin == ScopeName::Origin::kEnclosing;
    if (value && name.bound_before && !own.contains(name.text)) values.insert(name.text);
  }
  std::string last(tested.text());
  last = last.substr(last.rfind('.') == std::string::npos ? 0 : last.rfind('.') + 1);
  Basket basket;
  double weight = 0.6;
  for (Node next = guard.next_named_sibling(); next; next = next.next_named_sibling()) {
    for (Node chain : chains_in(next)) {
      if (mentions_word(chain.text(), tested.text())) return {};
      std::string text = split(chain.text(), '.').front();
      if (!values.contains(text)) continue;
      double alike = 0.5 + 0.5 * name_similarity(text, last);
      basket.add("not " + text, weight * alike);
      basket.add(text + " is None", 0.7 * weight * alike);
    }
    weight *= 0.7;
  }
  return basket.take();
}

/// Imports the function that the code (import_called) calls, when the file does not have it.
bool import_called(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  std::string code = text_of(match, arguments, "import_called");
  std::string name = code.substr(0, code.find('('));
  if (is_in_scope(match.node, name)) return true;
  for (const Definition& definition : match.input.tree.definitions(name)) {
    if (definition.qualname != name || definition.kind != Definition::Kind::kFunction) continue;
    std::string module = as_written(match, match.input.tree.module_of_file(definition.file));
    auto edit = ensure_import(match.file, fmt::format("from {} import {}", module, name));
    if (!edit) return false;
    edits[match.file.path()].push_back(std::move(*edit));
    return true;
  }
  return false;
}

}  // namespace suture
