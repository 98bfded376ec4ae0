#include "repair/propose/numbers.h"

#include <re2/re2.h>

#include <charconv>
#include <cmath>
#include <map>
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

/// Numbers that the check compared and that came of the matched expression: what the function
/// returned or what the target of the assignment got; where that was not seen, what calls of the
/// function gave in the check itself.
std::set<double> came_out(const Match& match) {
  std::set<double> compared, of_calls, own;
  std::string name(enclosing_function(match.node).field("name").text());
  for (const Operand& operand : match.input.evidence.operands) {
    auto number = number_of(operand.value);
    if (!number) continue;
    compared.insert(*number);
    if (!name.empty() && operand.expression.find(name + "(") != std::string::npos)
      of_calls.insert(*number);
  }
  // `assert total == 3, total`, `assert 10 == 3`.
  static const RE2 form(R"((-?\b\d+(?:\.\d+)?)\b)");
  std::string_view message = std::string_view(match.input.failure.message).substr(0, 200);
  re2::StringPiece rest(message.data(), message.size());
  std::string found;
  while (RE2::FindAndConsume(&rest, form, &found)) {
    if (auto number = number_of(found)) compared.insert(*number);
  }
  const CalledFunction* call =
      match.input.evidence.function_at(match.file.path(), match.node.line());
  Node parent = match.node.parent(), target = parent.field("left");
  const Value* value = nullptr;
  if (call != nullptr && parent.kind() == "return_statement" && call->returned)
    value = &*call->returned;
  if (call != nullptr && target && parent.field("right") == match.node)
    value = lookup(call->locals, target.text());
  auto number = value == nullptr ? std::nullopt : number_of(*value);
  if (!number) return of_calls;
  if (compared.contains(*number)) own.insert(*number);
  return own;
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
  bool scales = number != 1 && actual != 0;
  if (role == "factor") return scales && same(actual * number);
  if (role == "divisor") return scales && same(std::floor(actual / number));
  if (role == "ceiling") {
    return scales && same(std::ceil(actual / number)) && !same(std::floor(actual / number));
  }
  if (role == "addend") return same(actual + number);
  return role == "subtrahend" && same(actual - number);
}

}  // namespace

std::vector<Ingredient> missing_numbers(const Match& match, const Arguments& arguments) {
  std::set<double> actual = came_out(match);
  if (actual.empty()) return {};
  std::set<double> expected = compared_numbers(match);
  for (const Operand& operand : match.input.evidence.operands) {
    if (auto number = number_of(operand.value)) expected.insert(*number);
  }
  std::string role = arguments.one("as");
  Basket basket;
  for (const auto& [name, number] : numbers_in_scope(match)) {
    if (name == match.node.text()) continue;
    for (double came : actual) {
      for (double wanted : expected) {
        if (wanted != came && fits(role, came, number, wanted))
          basket.add(name, std::abs(number) == 1 ? 0.5 : 1);
      }
    }
  }
  return basket.take();
}

}  // namespace suture
