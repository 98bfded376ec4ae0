#include "repair/propose/statements.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <map>
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

bool is_simple(Node statement) {
  return statement.kind() == "expression_statement" && statement.line() == statement.end_line();
}

/// A call or an assignment on one line, the kind of statement that gets forgotten.
bool is_forgettable(Node statement) {
  if (!is_simple(statement) || statement.text().size() > 120) return false;
  Node inner = statement.named_child(0);
  if (inner.kind() == "await") inner = inner.named_child(0);
  return inner.is({"call", "assignment", "augmented_assignment"});
}

/// Statements of a function, nested blocks included, nested functions left out.
[[maybe_unused]] void each_statement(Node function, const std::function<void(Node)>& visit) {
  walk(function.field("body"), [&](Node node) {
    if (node.is({"function_definition", "class_definition"})) return false;
    if (node.parent().kind() == "block") visit(node);
    return true;
  });
}

/// Functions like the match's: other methods of the class, then methods of the same name elsewhere.
struct Sibling {
  Node function;
  bool same_name;
};
std::vector<Sibling> siblings_of(const Match& match, Node function) {
  std::vector<Sibling> siblings;
  std::string name(function.field("name").text());
  Node cls = enclosing_class(function);
  auto gather = [&](const SourceFile& file, bool own_file) {
    walk(file.root(), [&](Node node) {
      if (node.kind() != "function_definition") return true;
      bool same_name = node.field("name").text() == name;
      bool same_class = own_file && enclosing_class(node) == cls;
      if (!(own_file && node.range() == function.range()) && (same_name || same_class))
        siblings.push_back({node, same_name});
      return false;
    });
  };
  gather(match.file, true);
  // Kindred classes mostly live in files beside this one.
  if (name.starts_with("__") || !cls || !cls.field("superclasses")) return siblings;
  auto folder = [](std::string_view path) { return path.substr(0, path.rfind('/') + 1); };
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.paths()) {
    if (path == match.file.path() || folder(path) != folder(match.file.path()) ||
        !path.ends_with(".py"))
      continue;
    bool defines = match.input.tree.bytes(path).find("def " + name + "(") != std::string_view::npos;
    if (!defines || ++read > 4) continue;
    if (const SourceFile* file = match.input.tree.source(path)) gather(*file, false);
  }
  return siblings;
}

bool is_docstring(Node statement) {
  return statement.kind() == "expression_statement" && statement.named_child(0).kind() == "string";
}

std::vector<Node> body_of(Node function) {
  auto body = function.field("body").named_children();
  if (!body.empty() && is_docstring(body.front())) body.erase(body.begin());
  return body;
}

/// What a name says about the empty value that it starts from.
std::string value_by_name(std::string_view name) {
  static const RE2 flags(
      R"(_?(?:is|has|use|do|should|enable|skip|need|can|was)_\w+|\w*(?:enabled|done|ready|started|initialized))");
  static const RE2 numbers(
      R"(_?(?:num|n|count|total|max|min|next|current|last)_\w+|\w*(?:count|size|steps?|idx|index|len|length|offset|id|counter))");
  static const RE2 tables(R"(\w*(?:dict|map|mapping|cache|table|registry|by_\w+|lookup))");
  static const RE2 lists(R"(\w*(?:list|queue|buffer|history|stack)|\w+[^s]s)");
  if (RE2::FullMatch(name, flags)) return "False";
  if (RE2::FullMatch(name, numbers)) return "0";
  if (RE2::FullMatch(name, tables)) return "{}";
  if (RE2::FullMatch(name, lists)) return "[]";
  return {};
}

}  // namespace

// ---- anchors ----

/// The innermost statement of the match's file that was running when the check failed.
Node failing_statement(const Match& match) {
  const LiveException* failure = match.input.evidence.failure();
  if (failure == nullptr) return {};
  for (auto frame = failure->frames.rbegin(); frame != failure->frames.rend(); ++frame) {
    if (!frame->in_tree || frame->file != match.file.path()) continue;
    return innermost_on_line(match.file, frame->at.line, [](Node node) {
      return node.parent().is({"block", "module"});
    });
  }
  return {};
}

/// The compound statement whose body, or a branch of it, holds the match's statement.
Node outer_statement(const Match& match) {
  Node block = enclosing_statement(match.node).parent();
  if (block.kind() != "block" || block.parent().is({"function_definition", "class_definition"}))
    return {};
  return enclosing_statement(block.parent());
}

/// The first statement in the body of the compound statement behind the match's statement.
Node next_body_start(const Match& match) {
  Node next = enclosing_statement(match.node).next_named_sibling();
  Node body = next.field("body") ? next.field("body") : next.field("consequence");
  std::vector<Node> statements = body.named_children();
  return statements.empty() || next.is({"function_definition", "class_definition"})
             ? Node()
             : statements.front();
}

/// The last statement in the body of the compound statement before the match's statement.
Node previous_body_end(const Match& match) {
  Node before = enclosing_statement(match.node).previous_named_sibling();
  if (!before.is(
          {"if_statement", "for_statement", "while_statement", "with_statement", "try_statement"}))
    return {};
  std::vector<Node> children = before.named_children();
  Node body = before.field("body") ? before.field("body") : before.field("consequence");
  if (before.kind() == "if_statement" && !children.empty() &&
      children.back().is({"else_clause", "elif_clause"})) {
    body = children.back().field("body") ? children.back().field("body")
                                         : children.back().field("consequence");
  }
  std::vector<Node> statements = body.named_children();
  return statements.empty() ? Node() : statements.back();
}

/// The nearest class in front of the match's statement, in the same block.
Node previous_class(const Match& match) {
  for (Node node = enclosing_statement(match.node).previous_named_sibling(); node;
       node = node.previous_named_sibling()) {
    if (node.kind() == "decorated_definition") {
      if (node.field("definition").kind() == "class_definition") return node.field("definition");
    } else if (node.kind() == "class_definition") {
      return node;
    }
  }
  return {};
}

// ---- providers ----

/// Statements that keep what the matched call statement drops: `x = f()`, `self.items.append(f())`,
/// `d[k] = f()`, after names that are read later, similar calls nearby, and lists never filled.
std::vector<Ingredient> captured_results(const Match& match, const Arguments&) {
  Node call = match.node.kind() == "expression_statement" ? match.node.named_child(0) : match.node;
  if (call.kind() == "await") call = call.named_child(0);
  if (call.kind() != "call") return {};
  std::string code(enclosing_statement(call).text()), name(called_name(call));
  Node function = enclosing_function(call);
  Node scope = function ? function : match.file.root();
  std::uint32_t end = call.range().end;
  Basket basket;
  std::set<std::string> bound = usable_names(call), usable = bound;
  for (const ScopeName& scope_name : names_in_scope(call)) bound.insert(scope_name.text);
  std::set<std::string> lists;  // that start empty
  walk(scope, [&](Node node) {
    if (node.kind() == "assignment") {
      Node left = node.field("left"), right = node.field("right");
      bool own = right.range().contains(call.range());
      std::string target(left.text());
      if (!own && right.kind() == "call") {
        double alike = called_name(right) == name ? 1 : name_similarity(called_name(right), name);
        bool item = left.kind() == "subscript";
        if (alike >= (item ? 0.4 : 0.51) && is_usable(left, usable))
          basket.add(target + " = " + code, (item ? 0.7 : 0.6) * alike);
      }
      bool early = node.range().end < call.range().start && left.is({"identifier", "attribute"});
      if (early && right.is({"list", "none"})) lists.insert(target);
      if (early && right.kind() == "none")
        basket.add(target + " = " + code, 0.35 * (0.4 + 0.6 * name_similarity(target, name)));
    }
    if (node.kind() == "identifier" && node.range().start > end &&
        !bound.contains(std::string(node.text())) && function) {
      bool label =
          (node.parent().kind() == "attribute" && node.parent().field("attribute") == node) ||
          node.parent().kind() == "keyword_argument" || node.parent().field("function") == node ||
          node.text().front() < 'a';
      if (!label && node.text().size() > 2)
        basket.add(std::string(node.text()) + " = " + code,
                   0.3 + 0.5 * name_similarity(node.text(), name));
    }
    return true;
  });
  // Lists of the object that start empty and that nothing fills.
  std::string_view file = match.file.text();
  if (Node cls = enclosing_class(call)) {
    walk(cls, [&](Node node) {
      if (node.kind() == "assignment" && node.field("left").kind() == "attribute" &&
          node.field("right").is({"list"}) && node.field("right").named_child_count() == 0) {
        lists.insert(std::string(node.field("left").text()));
      }
      return true;
    });
  }
  for (const std::string& target : lists) {
    if (!target.starts_with("self.") && !bound.contains(target)) continue;
    bool filled = file.find(target + ".append(") != std::string_view::npos ||
                  file.find(target + ".extend(") != std::string_view::npos ||
                  file.find(target + " +=") != std::string_view::npos;
    basket.add(fmt::format("{}.append({})", target, call.text()), filled ? 0.25 : 0.8);
  }
  // `x = f(x)`.
  for (Node positional : positional_arguments(call)) {
    if (positional.kind() == "identifier")
      basket.add(fmt::format("{} = {}", positional.text(), code), 0.4);
    break;
  }
  return basket.take();
}

/// A text with what a regular expression matches replaced; nothing when it matches nowhere.
std::vector<Ingredient> edited_text(const Match& match, const Arguments& arguments) {
  std::string text = text_of(match, arguments, "of"), edited = text;
  RE2::GlobalReplace(&edited, arguments.one("from"), arguments.one("to"));
  return edited == text ? std::vector<Ingredient>{} : std::vector<Ingredient>{{edited, 1}};
}

/// Values for an attribute that an __init__ forgets: a parameter of that name, what other classes
/// set, what the name says.
std::vector<Ingredient> initial_values(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Node function =
      match.node.kind() == "function_definition" ? match.node : enclosing_function(match.node);
  Basket basket;
  std::string bare = name.substr(std::min(name.find_first_not_of('_'), name.size()));
  std::set<std::string> names = usable_names(function);
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    names.insert(parameter.name);
    if (parameter.name == "self" || !parameter.prefix.empty()) continue;
    double similarity = name_similarity(parameter.name, bare);
    if (parameter.name == name || parameter.name == bare)
      basket.add(parameter.name, 1);
    else if (similarity > 0.6)
      basket.add(parameter.name, 0.4 * similarity);
    // `config.size` for `self.size`.
    static const RE2 config(R"((?:\w*_)?(?:config|cfg|args|opts?|options|params|settings))");
    if (RE2::FullMatch(parameter.name, config)) basket.add(parameter.name + "." + bare, 0.5);
  }
  auto gather = [&](const SourceFile& file, double weight) {
    for_each_of(file.root(), {"assignment"}, [&](Node node) {
      if (node.field("left").text() != "self." + name) return;
      Node right = node.field("right");
      if (right && right.text().size() < 80 && right.line() == right.end_line() &&
          is_usable(right, names)) {
        bool constant = right.is({"none", "true", "false", "integer", "list", "dictionary"});
        basket.add(std::string(right.text()), weight * (constant ? 1 : 0.8));
      }
    });
  };
  gather(match.file, 0.6);
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.files_mentioning(name)) {
    if (path == match.file.path() || ++read > 8) continue;
    if (const SourceFile* file = match.input.tree.source(path)) gather(*file, 0.35);
  }
  basket.add(value_by_name(name), 0.45);
  basket.add("None", 0.35);
  return basket.take();
}

/// Loop variables of the loops around that the matched function or lambda reads when it is called.
std::vector<Ingredient> loop_names_read(const Match& match, const Arguments&) {
  Basket basket;
  std::set<std::string> own;
  for (const ParameterSyntax& parameter : parameters_of(match.node)) own.insert(parameter.name);
  for (Node node = match.node.parent(); node && node.kind() != "function_definition";
       node = node.parent()) {
    std::vector<Node> targets;
    if (node.kind() == "for_statement") targets.push_back(node.field("left"));
    if (node.is({"list_comprehension", "dictionary_comprehension", "set_comprehension",
                 "generator_expression"})) {
      for (Node clause : node.named_children()) {
        if (clause.kind() == "for_in_clause") targets.push_back(clause.field("left"));
      }
    }
    for (Node target : targets) {
      walk(target, [&](Node name) {
        if (name.kind() == "identifier" && !own.contains(std::string(name.text())) &&
            !reads_of(match.node.field("body"), name.text()).empty()) {
          basket.add(std::string(name.text()), 1);
        }
        return true;
      });
    }
  }
  return basket.take();
}

/// Definitions of a method for the matched class: as a kindred class has it, or handing on to a
/// part.
std::vector<Ingredient> method_definitions(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Node cls = match.node;
  if (cls.kind() != "class_definition" || !is_identifier(name)) return {};
  SourceTree& tree = match.input.tree;
  Basket basket;
  auto as_method = [&](const std::string& part) {
    return fmt::format("def {}(self, *args, **kwargs):\n    return {}.{}(*args, **kwargs)", name,
                       part, name);
  };
  auto as_property = [&](const std::string& part) {
    return fmt::format("@property\ndef {}(self):\n    return {}.{}", name, part, name);
  };
  std::set<std::string> members, methods;
  std::map<std::string, int> delegates;  // part -> how many members already hand on to it
  walk(cls.field("body"), [&](Node node) {
    if (node.kind() == "attribute" && node.field("object").text() == "self")
      members.insert(std::string(node.field("attribute").text()));
    if (node.kind() == "function_definition") {
      members.insert(std::string(node.field("name").text()));
      // A property is read, not called.
      if (node.parent().kind() != "decorated_definition")
        methods.insert(std::string(node.field("name").text()));
    }
    if (node.kind() == "return_statement") {
      Node value = node.named_child(0);
      Node inner = value.kind() == "call" ? value.field("function") : value;
      Node part = inner.kind() == "attribute" ? inner.field("object") : Node();
      Node function = enclosing_function(node);
      bool hands_on = part.kind() == "attribute" && part.field("object").text() == "self" &&
                      function && function.field("name").text() == inner.field("attribute").text();
      if (hands_on) ++delegates[std::string(part.text())];
    }
    return true;
  });
  if (members.contains(name) && tree.definitions(name).empty()) return {};
  for (const auto& [part, count] : delegates) {
    basket.add(as_property(part), 0.6);
    basket.add(as_method(part), 0.55);
  }
  // Another name for a member: what was renamed keeps its old name.
  for (const std::string& member : members) {
    double similarity = name_similarity(member, name);
    bool within = member.ends_with("_" + name) || name.ends_with("_" + member);
    if (within) similarity = std::max(similarity, 0.75);
    if (member == name || member.starts_with("__") || similarity < 0.6) continue;
    basket.add(
        methods.contains(member)
            ? fmt::format("def {}(self, *args, **kwargs):\n    return self.{}(*args, **kwargs)",
                          name, member)
            : fmt::format("@property\ndef {}(self):\n    return self.{}", name, member),
        0.5 * similarity);
  }
  // A part that is named like what the class wraps.
  static const RE2 wrapped(
      R"(_?(?:\w*(?:module|model|optimizer|inner|wrapped|base|impl|target|obj|delegate|original)\w*|_\w+))");
  for (const std::string& member : members) {
    if (RE2::FullMatch(member, wrapped) && !member.starts_with("__")) {
      basket.add(as_property("self." + member), 0.3);
      basket.add(as_method("self." + member), 0.28);
    }
  }
  for (const Definition& definition : tree.definitions(name)) {
    bool method = definition.kind == Definition::Kind::kFunction &&
                  definition.qualname.find('.') != std::string::npos;
    Node node = method ? definition_node(tree, definition) : Node();
    if (node.kind() != "function_definition" || enclosing_class(node) == cls) continue;
    Node whole = node.parent().kind() == "decorated_definition" ? node.parent() : node;
    bool abstract = whole.text().find("abstractmethod") != std::string_view::npos ||
                    whole.text().find("NotImplementedError") != std::string_view::npos;
    if (abstract || whole.end_line() - whole.line() > 14) continue;
    double weight = definition.file == match.file.path() ? 0.6 : 0.4;
    // Same bases: a sibling.
    Node other = enclosing_class(node);
    if (other.field("superclasses") &&
        other.field("superclasses").text() == cls.field("superclasses").text())
      weight += 0.25;
    walk(node.field("body"), [&](Node part) {
      bool own = part.kind() == "attribute" && part.field("object").text() == "self";
      if (own && !members.contains(std::string(part.field("attribute").text()))) weight *= 0.5;
      return true;
    });
    basket.add(reindent(whole.text(), ""), weight);
  }
  return basket.take();
}

/// Statements that stand behind (side: after) or in front of (before) an equal statement elsewhere
/// in the file and are missing here.
std::vector<Ingredient> neighbour_statements(const Match& match, const Arguments& arguments) {
  Node statement = enclosing_statement(match.node);
  if (!is_forgettable(statement) || statement.text().size() < 8) return {};
  bool after = arguments.one("side", "after") == "after";
  Node function = enclosing_function(statement);
  std::string_view own = function ? function.text() : match.file.text();
  std::set<std::string> names = usable_names(statement);
  Basket basket;
  for_each_of(match.file.root(), {"expression_statement"}, [&](Node node) {
    if (node.range() == statement.range() || node.text() != statement.text()) return;
    Node neighbour = after ? node.next_named_sibling() : node.previous_named_sibling();
    if (!neighbour || !is_forgettable(neighbour) ||
        own.find(neighbour.text()) != std::string_view::npos)
      return;
    Node other = enclosing_function(node);
    double weight = function && other && function.field("name").text() == other.field("name").text()
                        ? 0.9
                        : 0.6;
    if (is_usable(neighbour, names)) basket.add(std::string(neighbour.text()), weight);
  });
  return basket.take();
}

/// Statements with which functions like the matched one start (where: start) or end (end), and
/// which it has nowhere.
std::vector<Ingredient> sibling_statements(const Match& match, const Arguments& arguments) {
  Node function = match.node;
  if (function.kind() != "function_definition" || body_of(function).empty()) return {};
  bool start = arguments.one("where", "start") == "start";
  std::vector<Node> own = body_of(function);
  std::set<std::string> names = usable_names(start ? own.front() : own.back());
  for (const ParameterSyntax& parameter : parameters_of(function)) names.insert(parameter.name);
  std::map<std::string, double> counts;
  double count = 0;
  for (const Sibling& sibling : siblings_of(match, function)) {
    std::vector<Node> body = body_of(sibling.function);
    if (body.size() < 2) continue;
    count += sibling.same_name ? 1 : 0.2;
    std::vector<Node> places;
    if (start)
      places.assign(body.begin(),
                    body.begin() + std::min<std::ptrdiff_t>(2, std::ptrdiff_t(body.size())));
    else {
      if (body.back().kind() == "return_statement") body.pop_back();
      if (!body.empty()) places.push_back(body.back());
    }
    for (Node statement : places) {
      if (!is_forgettable(statement) ||
          function.text().find(statement.text()) != std::string_view::npos)
        continue;
      if (is_usable(statement, names))
        counts[std::string(statement.text())] += sibling.same_name ? 1 : 0.4;
    }
  }
  Basket basket;
  for (const auto& [text, times] : counts)
    basket.add(text, std::min(1.0, 0.15 + 0.25 * times + 0.4 * times / std::max(count, 1.0)));
  return basket.take();
}

/// The name of the match's function, when it looks like another name without being it.
std::vector<Ingredient> own_name(const Match& match, const Arguments& arguments) {
  std::string own(enclosing_function(match.node).field("name").text());
  std::string like = text_of(match, arguments, "like");
  if (own.empty() || own == like) return {};
  bool part = own.find(like) != std::string::npos || like.find(own) != std::string::npos;
  double similarity = std::max(name_similarity(own, like), part ? 0.8 : 0.0);
  return similarity < 0.5 ? std::vector<Ingredient>{} : std::vector<Ingredient>{{own, similarity}};
}

/// Last words that at least two of the names have which a function sets: GROUP of `_LEFT_GROUP =
/// None` and `_RIGHT_GROUP = None`.
std::set<std::string> families_reset(Node function) {
  std::map<std::string, int> counts;
  walk(function.field("body"), [&](Node node) {
    Node left = node.kind() == "assignment" ? node.field("left") : Node();
    if (left.kind() == "attribute") left = left.field("attribute");
    std::vector<std::string> parts = word_parts(left.text());
    if (parts.size() > 1) ++counts[parts.back()];
    return true;
  });
  std::set<std::string> families;
  for (const auto& [word, count] : counts) {
    if (count > 1) families.insert(word);
  }
  return families;
}

/// Statements that put back what starts as None, zero or empty (attributes that __init__ sets so,
/// or names of the module), for a function that puts back others and has no such statement.
std::vector<Ingredient> unreset_state(const Match& match, const Arguments&) {
  Node function = match.node;
  if (function.kind() != "function_definition") return {};
  auto starts_empty = [](Node value) {
    bool empty = value.is({"list", "dictionary"}) && value.named_child_count() == 0;
    return empty || value.is({"none", "false"}) || value.text() == "0" || value.text() == "set()";
  };
  Basket basket;
  Node cls = enclosing_class(function);
  std::string_view own = function.text();
  Node scope = cls ? cls : match.file.root();
  std::set<std::string> families = families_reset(function);
  walk(scope, [&](Node node) {
    if (node.kind() != "assignment") {
      if (cls)
        return node.kind() != "function_definition" || node.field("name").text() == "__init__";
      return !node.is({"function_definition", "class_definition"});
    }
    Node left = node.field("left");
    bool state = cls ? left.kind() == "attribute" && left.field("object").text() == "self"
                     : left.kind() == "identifier";
    std::string target(left.text());
    if (!state || !node.field("right") || !starts_empty(node.field("right"))) return false;
    std::string_view word = cls ? left.field("attribute").text() : left.text();
    if (mentions_word(own, word)) return false;
    std::string code = target + " = " + std::string(node.field("right").text());
    // Of the names that have a last word in common the rest belongs to the family.
    std::vector<std::string> parts = word_parts(word);
    bool kin = parts.size() > 1 && families.contains(parts.back());
    if (families.empty() || kin || cls)
      basket.add(cls ? code : "global " + target + "\n" + code, kin ? 0.8 : 0.5);
    return false;
  });
  std::vector<Ingredient> all = basket.take();
  std::string together;
  for (const Ingredient& one : all) together += (together.empty() ? "" : "\n") + one.text;
  if (all.size() > 1 && all.size() <= 6)
    all.insert(all.begin(), {together, families.empty() || cls ? 0.5 : 0.9});
  return all;
}

// ---- predicates ----

/// Whether the match's module binds the name at its top level.
Truth at_module_level(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  for (const Definition& definition : match.input.tree.outline(match.file.path())) {
    if (definition.qualname == name) return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether the match's function goes on to change the object behind a name (in: match for the body
/// of the matched loop, class for any method of the class): an item or attribute set, `+=`, a
/// method that works in place.
Truth changed_later(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "hole");
  static const RE2 in_place(
      "append|extend|insert|remove|pop|popitem|clear|update|setdefault|sort|reverse|add|discard|"
      "intersection_update|"
      "difference_update|appendleft|[a-z]\\w*[a-z]_");
  Node function = enclosing_function(match.node);
  bool parameter = function && function.field("parameters").range().contains(match.node.range());
  bool loop = arguments.one("in") == "match", whole_class = arguments.one("in") == "class";
  Node scope = loop          ? match.node.field("body")
               : whole_class ? enclosing_class(match.node).field("body")
               : function    ? function.field("body")
                             : match.file.root();
  if (!scope) return Truth::kFalse;
  std::uint32_t from = parameter || loop || whole_class
                           ? scope.range().start
                           : enclosing_statement(match.node).range().end;
  auto is_it = [&](Node node) {
    while (node && !(node.text() == name)) {
      if (!node.is({"subscript", "attribute"})) return false;
      node = node.kind() == "subscript" ? node.field("value") : node.field("object");
    }
    return bool(node);
  };
  bool changed = false;
  walk(scope, [&](Node node) {
    if (node.range().end <= from) return false;
    if (node.range().start < from || changed) return !changed;
    if (node.is({"assignment", "augmented_assignment"})) {
      Node left = node.field("left");
      bool part = left.is({"subscript", "attribute"}) && is_it(left);
      changed |= part || (node.kind() == "augmented_assignment" && left.text() == name);
    } else if (node.kind() == "call" && node.field("function").kind() == "attribute") {
      Node callee = node.field("function");
      changed |= RE2::FullMatch(callee.field("attribute").text(), in_place) &&
                 is_it(callee.field("object"));
    } else if (node.kind() == "delete_statement") {
      changed |= node.named_child(0).kind() == "subscript" && is_it(node.named_child(0));
    }
    return !changed;
  });
  return truth(changed);
}

/// Whether the statement behind the match's, in the same block, fits the regular expression.
Truth followed_by(const Match& match, const Arguments& arguments) {
  Node next = enclosing_statement(match.node).next_named_sibling();
  return truth(next && RE2::FullMatch(next.text(), arguments.one("regex")));
}

/// Whether two values are named like the other one's target: `self.width = height` beside
/// `self.height = width`.
Truth crosswise(const Match& match, const Arguments& arguments) {
  Node a = anchor(match, arguments.one("a")), b = anchor(match, arguments.one("b"));
  auto last = [](Node node) {
    std::string_view text = node.text();
    std::size_t dot = text.rfind('.');
    return dot == std::string_view::npos ? text : text.substr(dot + 1);
  };
  Node first = a.parent().field("left"), second = b.parent().field("left");
  if (!first || !second || !a.is({"identifier", "attribute"}) || !b.is({"identifier", "attribute"}))
    return Truth::kFalse;
  double straight = name_similarity(last(first), last(a)) + name_similarity(last(second), last(b));
  double crossed = name_similarity(last(first), last(b)) + name_similarity(last(second), last(a));
  return truth(crossed > straight + 0.2);
}

/// Whether a decorator of that name (any without one) stands on the matched definition.
Truth decorated(const Match& match, const Arguments& arguments) {
  Node whole = match.node.parent();
  if (whole.kind() != "decorated_definition") return Truth::kFalse;
  for (Node decorator : whole.named_children()) {
    if (decorator.kind() != "decorator") continue;
    if (!arguments.has("with") || mentions_word(decorator.text(), arguments.one("with")))
      return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether the function ends behind the match's statement without returning anything.
Truth falls_through(const Match& match, const Arguments&) {
  Node statement = enclosing_statement(match.node);
  while (statement) {
    Node block = statement.parent();
    if (block.kind() != "block" || !(block.named_children().back() == statement))
      return Truth::kFalse;
    Node holder = block.parent();
    if (holder.kind() == "function_definition") return Truth::kTrue;
    if (!holder.is({"if_statement", "elif_clause", "else_clause", "with_statement", "try_statement",
                    "except_clause"}))
      return Truth::kFalse;
    statement = enclosing_statement(holder);
  }
  return Truth::kFalse;
}

/// Whether a base class in the tree defines a method of that name.
Truth overrides(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  auto cls = class_around(match);
  if (!cls) return Truth::kFalse;
  for (const Definition& base : match.input.tree.class_and_bases(*cls)) {
    if (base.file == cls->file && base.range == cls->range) continue;
    auto members = match.input.tree.members_of(base);
    if (std::find(members.begin(), members.end(), name) != members.end()) return Truth::kTrue;
  }
  return cls->bases.empty() ? Truth::kFalse : Truth::kUnknown;
}

/// Whether a node (of: match) reads the name.
Truth reads(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("of", "match"));
  return truth(node && !reads_of(node, text_of(match, arguments, "name")).empty());
}

// ---- operators ----

/// Statements at the end of a function, in front of a final return.
bool add_at_end(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node function = anchor(match, arguments.one("add_at_end"));
  std::vector<Node> body = function.field("body").named_children();
  if (function.kind() != "function_definition" || body.empty()) return false;
  std::string code = text_of(match, arguments, "code");
  bool returns = body.back().is({"return_statement", "raise_statement"});
  edits[function.file()->path()].push_back(returns ? insert_before(body.back(), code)
                                                   : insert_after(body.back(), code));
  return true;
}

/// Takes a decorator off, with its line.
bool remove_decorator(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node decorator = anchor(match, arguments.one("remove_decorator"));
  if (decorator.kind() != "decorator") return false;
  Node next = decorator.next_named_sibling();
  if (!next) return false;
  edits[decorator.file()->path()].push_back({{decorator.range().start, next.range().start}, ""});
  return true;
}

}  // namespace suture
