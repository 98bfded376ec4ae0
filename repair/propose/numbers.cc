#include "repair/propose/numbers.h"

#include <re2/re2.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> number_of(const Value& value) {
  if (value.type != "int" && value.type != "float" && value.type != "int64") return std::nullopt;
  return number_of(value.repr);
}

/// Numbers that the check compares something with.
std::set<double> compared_numbers(const Match& match) {
  static const RE2 form(
      R"x((?:==|!=|<=|>=|[<>]|approx\(|[Ee]qual\([^,\n]*,|isclose\([^,\n]*,)\s*(-?\d+(?:\.\d+)?)\b)x");
  std::set<double> numbers;
  std::string_view text = match.input.check_text.substr(0, 20000);
  re2::StringPiece rest(text.data(), text.size());
  std::string found;
  while (numbers.size() < 40 && RE2::FindAndConsume(&rest, form, &found)) {
    if (auto number = number_of(found)) numbers.insert(*number);
  }
  return numbers;
}

struct Seen {
  std::set<double> own;       ///< what came of the matched expression itself
  std::set<double> compared;  ///< operands of the check
};

Seen seen_at(const Match& match) {
  Seen seen;
  for (const Operand& operand : match.input.evidence.operands) {
    if (auto number = number_of(operand.value)) seen.compared.insert(*number);
  }
  const CalledFunction* call =
      match.input.evidence.function_at(match.file.path(), match.node.line());
  if (call == nullptr) return seen;
  if (match.node.parent().kind() == "return_statement" && call->returned) {
    if (auto number = number_of(*call->returned)) seen.own.insert(*number);
  }
  Node target = match.node.parent().field("left");
  if (target && match.node.parent().field("right") == match.node) {
    if (const Value* value = lookup(call->locals, target.text())) {
      if (auto number = number_of(*value)) seen.own.insert(*number);
    }
  }
  return seen;
}

/// Names with a number that the match can read.
std::map<std::string, double> numbers_in_scope(const Match& match) {
  std::map<std::string, double> numbers;
  const CalledFunction* call =
      match.input.evidence.function_at(match.file.path(), match.node.line());
  auto value_of = [&](const std::string& name) -> const Value* {
    if (const Value* value = observed(match, name)) return value;
    return call == nullptr ? nullptr : lookup(call->locals, name);
  };
  auto note = [&](const std::string& name) {
    const Value* value = value_of(name);
    auto number = value == nullptr ? std::nullopt : number_of(*value);
    if (number && std::abs(*number) >= 1) numbers[name] = *number;
  };
  for (const ScopeName& name : names_in_scope(match.node)) {
    bool own = name.origin == ScopeName::Origin::kParameter ||
               name.origin == ScopeName::Origin::kLocal || name.origin == ScopeName::Origin::kLoop;
    if (!own || !name.bound_before) continue;
    note(name.text);
    const Value* value = value_of(name.text);
    if (value == nullptr || value->attributes.size() > 100) continue;
    for (const auto& [attribute, part] : value->attributes) note(name.text + "." + attribute);
  }
  for (const std::string& attribute : self_attributes(match.node)) note(attribute);
  return numbers;
}

bool fits(std::string_view role, double actual, double number, double expected) {
  auto same = [&](double value) {
    return std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
  };
  if (role == "factor") return number != 1 && actual != 0 && same(actual * number);
  if (role == "divisor") return number != 1 && actual != 0 && same(actual / number);
  if (role == "addend") return same(actual + number);
  return role == "subtrahend" && same(actual - number);
}

}  // namespace

std::vector<Ingredient> missing_numbers(const Match& match, const Arguments& arguments) {
  Seen seen = seen_at(match);
  std::set<double> expected = compared_numbers(match);
  expected.insert(seen.compared.begin(), seen.compared.end());
  if (expected.empty()) return {};
  bool sure = !seen.own.empty();
  std::string role = arguments.one("as");
  Basket basket;
  for (const auto& [name, number] : numbers_in_scope(match)) {
    if (name == match.node.text()) continue;
    for (double actual : sure ? seen.own : seen.compared) {
      // The right number came out already.
      if (sure && expected.contains(actual) && expected.size() == 1) continue;
      for (double wanted : expected) {
        if (wanted != actual && fits(role, actual, number, wanted))
          basket.add(name, (sure ? 1 : 0.4) * (std::abs(number) == 1 ? 0.5 : 1));
      }
    }
  }
  return basket.take();
}

}  // namespace suture
