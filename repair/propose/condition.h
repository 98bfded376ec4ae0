#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "repair/propose/context.h"

namespace suture {

/// What a condition comes to with the values that the run showed at the match; nothing when they do
/// not tell. Nothing is run: `None`, bools, numbers, strings, lengths, keys, members and types are
/// compared as recorded, everything else is unknown. Python only.
std::optional<bool> truth_of(const Match& match, std::string_view condition);

/// How a node stands to the decisions around it.
enum class Decision {
  kNone,     ///< decides nothing
  kOperand,  ///< an operand (through `and`, `or`, `not`, parentheses) of a whole condition
  kWhole,    ///< the condition of an if, elif, while, ternary, assert, case or comprehension
};
Decision decision_of(Node node);

/// Whether the body that a condition guards ran: of an if, elif or while by the lines executed; of
/// a failing assert it did not. Nothing when that cannot be told (ternaries, one line, no trace).
std::optional<bool> branch_ran(const Match& match, Node condition);

/// The opposite of a condition, as a person writes it: `x is None` for `x is not None`.
std::string negation_of(std::string_view condition);

/// The literal of a value: `None`, `True`, `3`, `'x'`; "" for values without a short literal.
std::string literal_of(const Value& value);

}  // namespace suture
