#include "repair/propose/conditions.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <re2/re2.h>

#include "repair/base/text.h"
#include "repair/propose/basket.h"
#include "repair/propose/condition.h"
#include "repair/propose/lookups.h"
#include "repair/propose/precedence.h"
#include "repair/propose/template.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

std::string text_of(const Match& match, const Arguments& arguments, std::string_view name) {
  return fill_template(arguments.one(name), match.bindings, match.file.language());
}

Truth truth(std::optional<bool> value) { return !value ? Truth::kUnknown : *value ? Truth::kTrue : Truth::kFalse; }

const std::set<std::string_view>& builtin_types() {
  static const std::set<std::string_view> all = {"int", "float", "bool", "str", "bytes", "list", "tuple", "dict", "set"};
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
    if (seen.insert(text).second) subjects.push_back({std::move(text), weight, std::move(default_text)});
  };
  std::set<std::string> scope;
  std::map<std::string, std::string> defaults;
  for (const ParameterSyntax& parameter : parameters_of(function)) {
    if (parameter.prefix.empty()) defaults[parameter.name] = parameter.has_default ? parameter.default_text : "";
  }
  for (const ScopeName& name : names_in_scope(match.node)) {
    bool own = name.origin == ScopeName::Origin::kParameter || name.origin == ScopeName::Origin::kLocal ||
               name.origin == ScopeName::Origin::kLoop;
    if (name.bound_before && own) scope.insert(name.text);
  }
  auto gather = [&](Node root, double weight) {
    walk(root, [&](Node node) {
      bool callee = node.parent().kind() == "call" && node.parent().field("function") == node;
      if (node.kind() == "attribute") {
        std::string first = split(node.text(), '.').front();
        bool read = scope.contains(first) || first == "self" || first == "cls";
        bool chain = node.parent().kind() == "attribute";
        if (read && !callee && !chain && node.text().size() <= 60 && is_identifier(first)) {
          add(std::string(node.text()), weight);
        }
        // `a.b()` says something about `a`.
        if (Node object = node.field("object"); callee && object.is({"attribute"}) && object.text().size() <= 60) {
          std::string root_name = split(object.text(), '.').front();
          if (scope.contains(root_name) || root_name == "self") add(std::string(object.text()), weight);
        }
      } else if (node.kind() == "identifier" && scope.contains(std::string(node.text())) && !callee &&
                 node.parent().field("attribute") != node && node.text() != "self" && node.text() != "cls") {
        bool keyword = node.parent().kind() == "keyword_argument" && node.parent().field("name") == node;
        auto at = defaults.find(std::string(node.text()));
        if (!keyword) add(std::string(node.text()), weight, at == defaults.end() ? "" : at->second);
      }
      return true;
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
  for (const ScopeName& name : names_in_scope(match.node)) {
    if (name.text == type) return true;
  }
  return false;
}

/// Atoms about a subject that hold (or do not) for the value that the run showed.
void offer_observed(const Match& match, const Subject& subject, const Value& value, bool wanted, Basket& basket) {
  const std::string& x = subject.text;
  auto add = [&](std::string text, double weight) { basket.add(std::move(text), weight * subject.weight); };
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
    if (value.length && *value.length == 0) add(wanted ? "not " + x : x, 0.6);
    else if (!literal.empty()) add(fmt::format("{} {} {}", x, wanted ? "==" : "!=", literal), 0.25);
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
  if (given == "None") basket.add(wanted ? x + " is None" : x + " is not None", 0.3 * subject.weight);
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
    static const std::set<std::string> wide = {"AssertionError", "Exception", "BaseException", "ImportError", "SystemExit", "KeyboardInterrupt"};
    if (!wide.contains(name) && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
  };
  std::string name;
  for (const char* form : {R"(([\w.]+) (?:was )?not raised)", R"(DID NOT RAISE <class '([\w.]+)')"}) {
    if (RE2::PartialMatch(match.input.failure.message, form, &name)) add(name);
  }
  for (const char* form : {R"(assertRaises(?:Regex)?\(\s*([\w.]+))", R"(\braises\(\s*([\w.]+))", R"(except \(?\s*([\w.]+))"}) {
    re2::StringPiece rest(match.input.check_text.data(), match.input.check_text.size());
    while (RE2::FindAndConsume(&rest, form, &name)) add(name);
  }
  return wanted;
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
      if (const Value* value = observed(match, subject.text)) offer_observed(match, subject, *value, wanted, basket);
      else offer_default(subject, wanted, basket);
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
        basket.add(*now == wanted ? guard.text : negation_of(guard.text), (*now == wanted ? 1.0 : 0.8) * guard.weight);
      }
    }
  }
  std::vector<Ingredient> all = basket.take();
  std::erase_if(all, [&](const Ingredient& one) {
    if (!own) return false;
    // Nothing that the condition says already, or denies.
    std::string text(own.text());
    return text.find(one.text) != std::string::npos || text.find(negation_of(one.text)) != std::string::npos;
  });
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
  bool module_class = cls && cls.field("superclasses").text().find("Module") != std::string_view::npos;
  if (cls && (module_class || cls.text().find("self.training") != std::string_view::npos)) basket.add("self.training", 1);
  if (names.contains("torch")) {
    basket.add("torch.is_grad_enabled()", used("is_grad_enabled") ? 1 : 0.7);
    if (used("cuda")) basket.add("torch.cuda.is_available()", used("cuda.is_available") ? 0.7 : 0.4);
    if (used("torch.distributed")) basket.add("torch.distributed.is_initialized()", used("is_initialized") ? 0.7 : 0.5);
  }
  if (names.contains("dist")) {
    basket.add("dist.is_initialized()", used("is_initialized") ? 0.9 : 0.6);
    basket.add("dist.get_world_size() > 1", 0.4);
    basket.add("dist.get_rank() == 0", 0.3);
  }
  Node own = decision_of(match.node) == Decision::kNone ? Node() : match.node;
  std::vector<Ingredient> all = basket.take();
  std::erase_if(all, [&](const Ingredient& one) { return own && own.text().find(one.text) != std::string_view::npos; });
  return all;
}

/// Types that are used beside a type: for `list` also `tuple`, for `dict` the abstract `Mapping`.
std::vector<Ingredient> kindred_types(const Match& match, const Arguments& arguments) {
  static const std::map<std::string, std::vector<std::string>> kin = {
      {"list", {"tuple", "set"}},   {"tuple", {"list"}},  {"dict", {"Mapping", "OrderedDict"}},
      {"int", {"float", "bool"}},   {"float", {"int"}},   {"str", {"bytes", "Path", "os.PathLike"}},
      {"set", {"frozenset", "list"}}, {"bytes", {"bytearray", "str"}}};
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

/// The value seen at run time as a literal: numbers, strings, bools, None.
std::vector<Ingredient> observed_literal(const Match& match, const Arguments& arguments) {
  const Value* value = observed(match, text_of(match, arguments, "of"));
  if (value == nullptr) return {};
  std::string literal = literal_of(*value);
  return literal.empty() ? std::vector<Ingredient>{} : std::vector<Ingredient>{{literal, 1}};
}

/// Exceptions that the check expects to be raised, where the file can name them.
std::vector<Ingredient> expected_exceptions(const Match& match, const Arguments&) {
  static const std::set<std::string> builtin = {"ValueError", "TypeError", "RuntimeError", "KeyError", "IndexError", "AttributeError", "NotImplementedError", "FileNotFoundError", "OSError", "StopIteration", "OverflowError", "ZeroDivisionError"};
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
  bool fits = as == "whole" ? decision == Decision::kWhole : as == "operand" ? decision == Decision::kOperand : decision != Decision::kNone;
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

/// Whether the node spans the line of a frame of the failure (or of an exception that was swallowed).
Truth around_failure(const Match& match, const Arguments& arguments) {
  Node node = anchor(match, arguments.one("hole", "match"));
  if (!node) return Truth::kFalse;
  auto within = [&](const LiveException& exception) {
    return std::any_of(exception.frames.begin(), exception.frames.end(), [&](const LiveFrame& frame) {
      return frame.in_tree && frame.file == match.file.path() && node.line() <= frame.at.line && frame.at.line <= node.end_line();
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

/// Whether the run showed a value for the expression: for patterns that would guess too much without.
Truth seen(const Match& match, const Arguments& arguments) {
  return truth(observed(match, text_of(match, arguments, "hole")) != nullptr);
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
  Bindings bindings = {{"OLD", {std::string(node.text()), node}},
                       {"TEST", {fill_template(arguments.one("when"), match.bindings, language), {}}},
                       {"OTHER", {fill_template(arguments.one("else"), match.bindings, language), {}}}};
  std::string code = fill_template("$OLD if $TEST else $OTHER", bindings, language);
  edits[node.file()->path()].push_back({node.range(), fit_into(node, code)});
  return true;
}

}  // namespace suture
