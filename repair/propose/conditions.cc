#include "repair/propose/conditions.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/condition.h"
#include "repair/propose/lookups.h"
#include "repair/propose/precedence.h"
#include "repair/propose/template.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

Truth truth(std::optional<bool> value) {
  return !value ? Truth::kUnknown : *value ? Truth::kTrue : Truth::kFalse;
}

const std::set<std::string_view>& builtin_types() {
  static const std::set<std::string_view> all = {"int",  "float", "bool", "str", "bytes",
                                                 "list", "tuple", "dict", "set"};
  return all;
}

/// An expression that a condition may be about, and how near it is to the match.
struct Subject {
  std::string text;
  double weight;
  std::string default_text;  ///< of a parameter
};

/// Names and attributes of the function, those of the match's own statement first.
std::vector<Subject> subjects_of(const Match& match) {
  Node function = enclosing_function(match.node);
  Node statement = enclosing_statement(match.node);
  std::vector<Subject> subjects;
  std::set<std::string> seen;
  auto add = [&](std::string text, double weight, std::string default_text = "") {
    if (seen.insert(text).second)
      subjects.push_back({std::move(text), weight, std::move(default_text)});
  };
  std::set<std::string> scope;
  std::map<std::string, std::string> defaults;
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    if (parameter.prefix.empty())
      defaults[parameter.name] = parameter.has_default ? parameter.default_text : "";
  }
  for (const ScopeName& name : names_in_scope(match.node)) {
    bool own = name.origin == ScopeName::Origin::kParameter ||
               name.origin == ScopeName::Origin::kLocal || name.origin == ScopeName::Origin::kLoop;
    if (name.bound_before && own) scope.insert(name.text);
  }
  auto gather = [&](Node root, double weight) {
    for_each_of(root, {"attribute", "identifier"}, [&](Node node) {
      bool callee = node.parent().kind() == "call" && node.parent().field("function") == node;
      if (node.kind() == "attribute") {
        std::string first = split(node.text(), '.').front();
        bool read = scope.contains(first) || first == "self" || first == "cls";
        bool chain = node.parent().kind() == "attribute";
        if (read && !callee && !chain && node.text().size() <= 60 && is_identifier(first)) {
          add(std::string(node.text()), weight);
        }
        // `a.b()` says something about `a`.
        if (Node object = node.field("object");
            callee && object.is({"attribute"}) && object.text().size() <= 60) {
          std::string root_name = split(object.text(), '.').front();
          if (scope.contains(root_name) || root_name == "self")
            add(std::string(object.text()), weight);
        }
      } else if (node.kind() == "identifier" && scope.contains(std::string(node.text())) &&
                 !callee && node.parent().field("attribute") != node && node.text() != "self" &&
                 node.text() != "cls") {
        bool keyword =
            node.parent().kind() == "keyword_argument" && node.parent().field("name") == node;
        auto at = defaults.find(std::string(node.text()));
        if (!keyword) add(std::string(node.text()), weight, at == defaults.end() ? "" : at->second);
      }
    });
  };
  gather(match.node, 1);
  gather(statement, 0.9);
  if (function) gather(function.field("body"), 0.55);
  for (const auto& [name, default_text] : defaults) {
    if (name != "self" && name != "cls" && scope.contains(name)) add(name, 0.5, default_text);
  }
  if (const Values* values = observed_scope(match)) {
    auto self = values->find("self");
    if (self != values->end()) {
      for (const std::string& attribute : self_attributes(match.node)) {
        if (self->second.attributes.contains(attribute.substr(5))) add(attribute, 0.3);
      }
    }
  }
  return subjects;
}

bool usable_type(const Match& match, const std::string& type) {
  if (builtin_types().contains(type)) return true;
  return is_in_scope(match.node, type);
}

/// Atoms about a subject that hold (or do not) for the value that the run showed.
void offer_observed(const Match& match, const Subject& subject, const Value& value, bool wanted,
                    Basket& basket) {
  const std::string& x = subject.text;
  auto add = [&](std::string text, double weight) {
    basket.add(std::move(text), weight * subject.weight);
  };
  if (value.none()) {
    add(wanted ? x + " is None" : x + " is not None", 0.8);
  } else if (value.type == "bool") {
    bool holds = value.repr == "True";
    add(holds == wanted ? x : "not " + x, 0.8);
  } else if (value.type == "int") {
    const std::string& n = value.repr;
    bool negative = n.starts_with('-');
    if (n == "0") {
      add(wanted ? x + " == 0" : x + " > 0", 0.7);
      add(wanted ? x + " <= 0" : x + " != 0", 0.3);
    } else if (negative) {
      add(wanted ? x + " < 0" : x + " >= 0", 0.7);
      if (n == "-1") add(wanted ? x + " == -1" : x + " != -1", 0.6);
    } else if (n == "1") {
      add(wanted ? x + " == 1" : x + " > 1", 0.6);
      add(wanted ? x + " <= 1" : x + " != 1", 0.2);
    } else if (n.size() <= 4) {
      add(wanted ? x + " == " + n : x + " != " + n, 0.1);
    }
  } else if (value.type == "str") {
    std::string literal = literal_of(value);
    if (value.length && *value.length == 0)
      add(wanted ? "not " + x : x, 0.6);
    else if (!literal.empty())
      add(fmt::format("{} {} {}", x, wanted ? "==" : "!=", literal), 0.25);
  } else if (value.length && builtin_types().contains(value.type)) {
    bool empty = *value.length == 0;
    if (empty) add(wanted ? fmt::format("len({}) == 0", x) : fmt::format("len({}) > 0", x), 0.7);
    add(fmt::format("{}isinstance({}, {})", wanted ? "" : "not ", x, value.type), 0.3);
  } else if (usable_type(match, value.type) && x != "self") {
    add(fmt::format("{}isinstance({}, {})", wanted ? "" : "not ", x, value.type), 0.3);
  }
}

/// Atoms about a parameter whose value is not known, from its default.
void offer_default(const Subject& subject, bool wanted, Basket& basket) {
  const std::string& x = subject.text;
  const std::string& given = subject.default_text;
  if (given == "None")
    basket.add(wanted ? x + " is None" : x + " is not None", 0.3 * subject.weight);
  if (given == "False" || given == "True") {
    basket.add(x, 0.2 * subject.weight);
    basket.add("not " + x, 0.2 * subject.weight);
  }
}

/// Exceptions that the check asks for, most telling first.
std::vector<std::string> exceptions_wanted(const Match& match) {
  std::vector<std::string> wanted;
  auto add = [&](std::string name) {
    name = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
    static const std::set<std::string> wide = {"AssertionError", "Exception",  "BaseException",
                                               "ImportError",    "SystemExit", "KeyboardInterrupt"};
    if (!wide.contains(name) && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      wanted.push_back(name);
  };
  std::string name;
  for (const char* form :
       {R"(([\w.]+) (?:was )?not raised)", R"(DID NOT RAISE <class '([\w.]+)')"}) {
    if (RE2::PartialMatch(match.input.failure.message, form, &name)) add(name);
  }
  for (const char* form : {R"(assertRaises(?:Regex)?\(\s*([\w.]+))", R"(\braises\(\s*([\w.]+))",
                           R"(except \(?\s*([\w.]+))"}) {
    re2::StringPiece rest(match.input.check_text.data(), match.input.check_text.size());
    while (RE2::FindAndConsume(&rest, form, &name)) add(name);
  }
  return wanted;
}

/// What the conditions around a place say about atoms there.
class Settled {
 public:
  explicit Settled(Node at) : finder_(at) {}

  /// Whether they decide the atom already, so that it can only repeat them or make a branch that
  /// nothing reaches.
  bool decides(const std::string& atom) {
    std::string x;
    if (RE2::FullMatch(atom, R"((?:not )?isinstance\((.+), [^,]+\))", &x))
      return known(x, {GuardKind::kIsinstance});
    if (RE2::FullMatch(atom, R"((.+) is (?:not )?None)", &x))
      return known(x, {GuardKind::kNone, GuardKind::kTruth});
    if (RE2::FullMatch(atom, R"(len\((.+)\) (?:==|>) 0)", &x) && known(x, {GuardKind::kTruth}))
      return true;
    return known(atom, {GuardKind::kTruth}) || known(negation_of(atom), {GuardKind::kTruth});
  }

 private:
  bool known(const std::string& expression, std::initializer_list<GuardKind> kinds) {
    auto [at, added] = guards_.try_emplace(expression);
    if (added) at->second = finder_.on(expression);
    return std::any_of(at->second.begin(), at->second.end(), [&](GuardKind kind) {
      return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    });
  }

  GuardFinder finder_;
  std::map<std::string, std::vector<GuardKind>> guards_;  ///< many atoms are about few expressions
};

/// The names that the loops of a comprehension bind whose filter this node is; empty for others.
std::set<std::string> names_filtered_by(Node condition) {
  std::set<std::string> names;
  Node clause = condition.parent();
  if (!clause.is({"if_clause"})) return names;
  for (Node loop : clause.parent().named_children()) {
    if (!loop.is({"for_in_clause"})) continue;
    walk(loop.field("left"), [&](Node node) {
      if (node.is({"identifier"})) names.emplace(node.text());
      return true;
    });
  }
  return names;
}

}  // namespace

// ---- providers ----

/// Conditions for the match that would have been false (or true) in the run.
std::vector<Ingredient> conditions(const Match& match, const Arguments& arguments) {
  bool wanted = arguments.one("wants", "false") == "true";
  std::string sources = arguments.one("from", "all");
  Node own = decision_of(match.node) == Decision::kNone ? Node() : match.node;
  Basket basket;
  if (sources != "guards") {
    for (const Subject& subject : subjects_of(match)) {
      if (const Value* value = observed(match, subject.text))
        offer_observed(match, subject, *value, wanted, basket);
      else
        offer_default(subject, wanted, basket);
    }
  }
  if (sources != "values") {
    static const Provider* guards = find_provider("guards_nearby");
    for (const Ingredient& guard : guards->offer(match, {})) {
      std::optional<bool> now = truth_of(match, guard.text);
      if (!now) {
        basket.add(guard.text, 0.5 * guard.weight);
        basket.add(negation_of(guard.text), 0.3 * guard.weight);
      } else {
        basket.add(*now == wanted ? guard.text : negation_of(guard.text),
                   (*now == wanted ? 1.0 : 0.8) * guard.weight);
      }
    }
  }
  std::vector<Ingredient> all = basket.take();
  Settled settled(own);
  std::erase_if(all, [&](const Ingredient& one) {
    if (!own) return false;
    // Nothing that the condition says already, or denies.
    std::string text(own.text());
    return text.find(one.text) != std::string::npos ||
           text.find(negation_of(one.text)) != std::string::npos || settled.decides(one.text);
  });
  // A filter that looks at no item keeps all or none.
  if (std::set<std::string> items = names_filtered_by(own); !items.empty()) {
    std::erase_if(all, [&](const Ingredient& one) {
      return std::none_of(items.begin(), items.end(),
                          [&](const std::string& item) { return mentions_word(one.text, item); });
    });
  }
  return all;
}

/// Predicates of the mode that the program runs in, as the file can name them.
std::vector<Ingredient> mode_guards(const Match& match, const Arguments&) {
  Basket basket;
  std::set<std::string> names;
  for (const ScopeName& name : names_in_scope(match.node)) names.insert(name.text);
  std::string_view file = match.file.text();
  Node cls = enclosing_class(match.node);
  auto used = [&](std::string_view text) { return file.find(text) != std::string_view::npos; };
  bool module_class =
      cls && cls.field("superclasses").text().find("Module") != std::string_view::npos;
  if (cls && (module_class || cls.text().find("self.training") != std::string_view::npos))
    basket.add("self.training", 1);
  if (names.contains("torch")) {
    bool trains =
        used("is_grad_enabled") || used("no_grad") || used("self.training") || module_class;
    basket.add("torch.is_grad_enabled()", trains ? 0.8 : 0.1);
    if (used("cuda"))
      basket.add("torch.cuda.is_available()", used("cuda.is_available") ? 0.5 : 0.3);
    if (used("torch.distributed"))
      basket.add("torch.distributed.is_initialized()", used("is_initialized") ? 0.6 : 0.4);
  }
  if (names.contains("dist")) {
    basket.add("dist.is_initialized()", used("is_initialized") ? 0.9 : 0.6);
    basket.add("dist.get_world_size() > 1", 0.4);
    basket.add("dist.get_rank() == 0", 0.3);
  }
  Node own = decision_of(match.node) == Decision::kNone ? Node() : match.node;
  std::vector<Ingredient> all = basket.take();
  std::erase_if(all, [&](const Ingredient& one) {
    return own && own.text().find(one.text) != std::string_view::npos;
  });
  return all;
}

/// Values for a name on the path that sets none: literals that the file assigns to it, None,
/// neutral ones.
std::vector<Ingredient> branch_values(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  Basket basket;
  bool flag = false, number = false;
  for_each_of(match.file.root(), {"assignment"}, [&](Node node) {
    if (node.field("left").text() != name) return;
    Node value = node.field("right");
    bool own = match.node.range().contains(node.range());
    flag |= own && value.is({"true", "false"});
    number |= own && value.is({"integer", "float"});
    bool plain = value.is({"none", "true", "false", "integer", "float", "string"}) ||
                 (value.is({"list", "tuple", "dictionary"}) && value.named_child_count() == 0);
    if (plain && value.text().size() <= 30) basket.add(std::string(value.text()), own ? 0.5 : 0.8);
  });
  basket.add("None", flag || number ? 0.6 : 0.9);
  basket.add("False", flag ? 0.9 : 0.2);
  basket.add("0", number ? 0.8 : 0.2);
  basket.add("[]", 0.25);
  basket.add("{}", 0.15);
  return basket.take();
}

/// Names and attributes that could stand in a condition in the place of another, those first that
/// are alike, are tested nearby, and turn the outcome with the values of the run.
std::vector<Ingredient> condition_operands(const Match& match, const Arguments& arguments) {
  std::string like = text_of(match, arguments, "like");
  Node whole = match.node;
  for (Node node = match.node; node && !node.is({"block", "module"}); node = node.parent()) {
    if (decision_of(node) != Decision::kNone) whole = node;
  }
  std::string text(whole.text());
  std::size_t at = match.node.range().start - whole.range().start, size = match.node.range().size();
  std::optional<bool> before = truth_of(match, text);
  Node function = enclosing_function(match.node);
  std::set<std::string> tested;
  for_each_of(function, {"identifier", "attribute"}, [&](Node node) {
    Node parent = node.parent();
    bool compared =
        parent.kind() == "comparison_operator" && decision_of(parent) != Decision::kNone;
    if (compared || decision_of(node) != Decision::kNone) tested.insert(std::string(node.text()));
  });
  Basket basket;
  for (const Subject& subject : subjects_of(match)) {
    if (subject.text == like || text.find(subject.text) != std::string::npos) continue;
    std::string last = subject.text.substr(
        subject.text.rfind('.') == std::string::npos ? 0 : subject.text.rfind('.') + 1);
    double weight = subject.weight * (0.35 + 0.65 * std::max(name_similarity(last, like),
                                                             name_similarity(subject.text, like)));
    if (tested.contains(subject.text)) weight *= 1.3;
    std::string changed = text;
    changed.replace(at, size, subject.text);
    std::optional<bool> after = truth_of(match, changed);
    if (before && after) weight *= *before != *after ? 1.5 : 0.3;
    basket.add(subject.text, weight);
  }
  return basket.take();
}

/// Names that hold a number of processes: `world_size`, `self.tp_size`; not those seen to be above
/// one.
std::vector<Ingredient> size_names(const Match& match, const Arguments&) {
  static const RE2 form(
      R"((?:self\.|cls\.)?_?(?:\w*(?:world|tp|pp|dp|sp|cp|ep|group|parallel|process|rank)\w*size|nproc\w*|num_processes|n?world|\w*num_(?:ranks|processes|procs)))");
  Basket basket;
  for (const Subject& subject : subjects_of(match)) {
    if (!RE2::FullMatch(subject.text, form)) continue;
    const Value* value = observed(match, subject.text);
    if (value != nullptr && value->repr != "1") continue;
    basket.add(subject.text, subject.weight);
  }
  return basket.take();
}

/// Types that are used beside a type: for `list` also `tuple`, for `dict` the abstract `Mapping`.
std::vector<Ingredient> kindred_types(const Match& match, const Arguments& arguments) {
  static const std::map<std::string, std::vector<std::string>> kin = {
      {"list", {"tuple", "set"}},
      {"tuple", {"list"}},
      {"dict", {"Mapping", "OrderedDict"}},
      {"int", {"float", "bool"}},
      {"float", {"int"}},
      {"str", {"bytes", "Path", "os.PathLike"}},
      {"set", {"frozenset", "list"}},
      {"bytes", {"bytearray", "str"}}};
  Basket basket;
  auto at = kin.find(text_of(match, arguments, "to"));
  if (at == kin.end()) return {};
  double weight = 0.5;
  for (const std::string& type : at->second) {
    if (usable_type(match, split(type, '.').front())) basket.add(type, weight);
    weight *= 0.5;
  }
  return basket.take();
}

/// The condition that is true when another is false.
std::vector<Ingredient> negation(const Match& match, const Arguments& arguments) {
  return {{negation_of(text_of(match, arguments, "of")), 1}};
}

/// Comparison operators that say the contrary, the likeliest first.
std::vector<Ingredient> opposite_comparators(const Match& match, const Arguments& arguments) {
  static const std::map<std::string, std::vector<std::string>> opposites = {
      {"==", {"!="}},           {"!=", {"=="}},     {"in", {"not in"}}, {"not in", {"in"}},
      {"is", {"is not"}},       {"is not", {"is"}}, {"<", {">=", ">"}}, {"<=", {">", ">="}},
      {">", {"<=", "==", "<"}}, {">=", {"<", "<="}}};
  std::vector<Ingredient> all;
  auto at = opposites.find(text_of(match, arguments, "of"));
  double weight = 1;
  for (const std::string& text : at == opposites.end() ? std::vector<std::string>{} : at->second) {
    all.push_back({text, weight});
    weight *= 0.6;
  }
  return all;
}

/// The value seen at run time as a literal: numbers, strings, bools, None.
std::vector<Ingredient> observed_literal(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "of"));
  if (value == nullptr) return {};
  std::string literal = literal_of(*value);
  return literal.empty() ? std::vector<Ingredient>{} : std::vector<Ingredient>{{literal, 1}};
}

/// Exceptions that the check expects to be raised, where the file can name them.
std::vector<Ingredient> expected_exceptions(const Match& match, const Arguments&) {
  static const std::set<std::string> builtin = {
      "ValueError", "TypeError",      "RuntimeError",        "KeyError",
      "IndexError", "AttributeError", "NotImplementedError", "FileNotFoundError",
      "OSError",    "StopIteration",  "OverflowError",       "ZeroDivisionError"};
  Basket basket;
  double weight = 1;
  for (const std::string& name : exceptions_wanted(match)) {
    if (!builtin.contains(name) && !usable_type(match, name)) continue;
    basket.add(name, weight);
    weight *= 0.5;
  }
  return basket.take();
}

// ---- predicates ----

/// as: whole (a whole condition), operand (a part of one), any.
Truth decides(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("hole", "match"));
  if (!node) return Truth::kFalse;
  Decision decision = decision_of(node);
  std::string as = arguments.one("as", "any");
  bool fits = as == "whole"     ? decision == Decision::kWhole
              : as == "operand" ? decision == Decision::kOperand
                                : decision != Decision::kNone;
  return fits ? Truth::kTrue : Truth::kFalse;
}

Truth evaluates(const Match& match, const Arguments& arguments) {
  auto value = truth_of(match, text_of(match, arguments, "code"));
  if (!value) return Truth::kUnknown;
  return *value == (arguments.one("to") == "true") ? Truth::kTrue : Truth::kFalse;
}

Truth branch_taken(const Match& match, const Arguments& arguments) {
  Node condition = anchor(match, arguments.one("of", "match"));
  return condition ? truth(branch_ran(match, condition)) : Truth::kUnknown;
}

/// Whether the node spans the line of a frame of the failure (or of an exception that was
/// swallowed).
Truth around_failure(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("hole", "match"));
  if (!node) return Truth::kFalse;
  auto within = [&](const LiveException& exception) {
    return std::any_of(exception.frames.begin(), exception.frames.end(),
                       [&](const LiveFrame& frame) {
                         return frame.in_tree && frame.file == match.file.path() &&
                                node.line() <= frame.at.line && frame.at.line <= node.end_line();
                       });
  };
  const Evidence& evidence = match.input.evidence;
  if (evidence.exceptions.empty()) return evidence.empty() ? Truth::kUnknown : Truth::kFalse;
  bool spans = std::any_of(evidence.exceptions.begin(), evidence.exceptions.end(), within);
  return spans ? Truth::kTrue : Truth::kFalse;
}

/// Whether the failure's message names the type that the expression had at run time.
Truth type_in_message(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "hole"));
  if (value == nullptr) return Truth::kUnknown;
  return mentions_word(match.input.failure.message, value->type) ? Truth::kTrue : Truth::kFalse;
}

/// Whether the matched statement is the first one of its function, a docstring aside.
Truth first_of_function(const Match& match, const Arguments&) {
  if (match.node.parent().parent().kind() != "function_definition") return Truth::kFalse;
  Node before = match.node.previous_named_sibling();
  if (!before) return Truth::kTrue;
  bool docstring =
      before.kind() == "expression_statement" && before.named_child(0).kind() == "string";
  return docstring && !before.previous_named_sibling() ? Truth::kTrue : Truth::kFalse;
}

/// Whether the node has a child of one of these kinds.
Truth has_child(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("hole", "match"));
  const auto& kinds = arguments.all("kinds");
  for (Node child : node ? node.children() : std::vector<Node>{}) {
    if (std::find(kinds.begin(), kinds.end(), child.kind()) != kinds.end()) return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether the matched statement, or (outermost: yes) no compound statement around it, binds the
/// name.
Truth sets(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  auto binds = [&](Node root) {
    bool found = false;
    walk(root, [&](Node node) {
      if (node.is({"function_definition", "class_definition", "lambda"})) return false;
      Node target = node.kind() == "assignment" || node.kind() == "for_statement"
                        ? node.field("left")
                        : Node();
      if (node.kind() == "as_pattern_target") target = node;
      if (target) {
        walk(target, [&](Node inner) {
          if (inner.kind() == "identifier" && inner.text() == name &&
              inner.parent().kind() != "attribute")
            found = true;
          return !inner.is({"attribute", "subscript"}) && !found;
        });
      }
      return !found;
    });
    return found;
  };
  if (!binds(match.node)) return Truth::kFalse;
  if (!arguments.has("outermost")) return Truth::kTrue;
  for (Node node = match.node.parent(); node && node.kind() != "function_definition";
       node = node.parent()) {
    if (node.is({"if_statement", "for_statement", "while_statement", "try_statement"}))
      return Truth::kFalse;
  }
  return Truth::kTrue;
}

/// Whether the message about None is about the matched operation: `None.a`, `None[k]`, `None()`,
/// ...
Truth fits_message(const Match& match, const Arguments&) {
  const std::string& message = match.input.failure.message;
  auto says = [&](std::string_view text) { return message.find(text) != std::string::npos; };
  if (!says("NoneType")) return Truth::kUnknown;
  std::string_view kind = match.node.kind();
  auto answer = [](bool fits) { return fits ? Truth::kTrue : Truth::kFalse; };
  if (kind == "attribute") {
    std::string name(match.node.field("attribute").text());
    return answer(says("has no attribute '" + name + "'"));
  }
  if (kind == "subscript") {
    return answer(says("subscriptable") || says("item assignment") || says("item deletion"));
  }
  if (kind == "call") {
    bool length = match.node.field("function").text() == "len" && says("len()");
    bool spread = says("after *") || says("is not a mapping");
    return answer(says("not callable") || length || spread || says("iterable") || says("must be"));
  }
  if (kind == "binary_operator") return answer(says("unsupported operand") || says("must be"));
  if (kind == "comparison_operator") {
    return answer(says("not supported between") || says("iterable") || says("argument of type"));
  }
  return answer(says("iterable") || says("unpack"));
}

/// Whether two operands can be ordered as numbers: one is a number, none is seen to be something
/// else.
Truth looks_numeric(const Match& match, const Arguments& arguments) {
  bool number = false;
  for (const char* name : {"a", "b"}) {
    std::string text = text_of(match, arguments, name);
    if (RE2::FullMatch(text, R"(-?[\d.]+|len\(.*\))")) number = true;
    const Value* value = observed(match, text);
    if (value == nullptr) continue;
    if (value->type != "int" && value->type != "float") return Truth::kFalse;
    number = true;
  }
  return number ? Truth::kTrue : Truth::kFalse;
}

/// Whether the run showed a value for the expression: for patterns that would guess too much
/// without.
Truth seen(const Match& match, const Arguments& arguments) {
  return truth(observed(match, text_of(match, arguments, "hole")) != nullptr);
}

/// Whether `test` is about a name or attribute that `of` goes on to use: `x.y`, `x[0]`, `x(...)`.
Truth tests_part_of(const Match& match, const Arguments& arguments) {
  std::string used = text_of(match, arguments, "of");
  auto parsed = SourceFile::parse("test", text_of(match, arguments, "test"), Language::kPython);
  if (!parsed) return Truth::kFalse;
  bool found = false;
  walk((*parsed)->root(), [&](Node node) {
    if (!node.is({"identifier", "attribute", "subscript"})) return !found;
    std::string text(node.text());
    for (std::size_t at = used.find(text); at != std::string::npos; at = used.find(text, at + 1)) {
      std::size_t end = at + text.size();
      auto part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
      };
      bool begins = at == 0 || !part(used[at - 1]);
      if (begins && end < used.size() && (used[end] == '.' || used[end] == '[' || used[end] == '('))
        found = true;
    }
    return node.kind() == "subscript";
  });
  return found ? Truth::kTrue : Truth::kFalse;
}

/// Whether the node lies in a condition at any depth.
Truth in_condition(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("hole", "match"));
  for (; node && !node.is({"block", "module"}); node = node.parent()) {
    if (decision_of(node) != Decision::kNone) return Truth::kTrue;
  }
  return Truth::kFalse;
}

Truth check_expects_exception(const Match& match, const Arguments&) {
  return exceptions_wanted(match).empty() ? Truth::kFalse : Truth::kTrue;
}

// ---- operators ----

/// `V` becomes `V if C else F`.
bool choose(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor(match, arguments.one("choose"));
  if (!node || node.is({"block", "module"}) || node.kind().ends_with("_statement")) return false;
  auto language = match.file.language();
  Bindings bindings = {
      {"OLD", {std::string(node.text()), node}},
      {"TEST", {fill_template(arguments.one("when"), match.bindings, language), {}}},
      {"OTHER", {fill_template(arguments.one("else"), match.bindings, language), {}}}};
  std::string code = fill_template("$OLD if $TEST else $OTHER", bindings, language);
  edits[node.file()->path()].push_back({node.range(), fit_into(node, code)});
  return true;
}

}  // namespace suture
