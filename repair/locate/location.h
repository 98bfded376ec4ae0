#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// Why a place is suspicious. Patterns ask for roles (`match.at`).
enum class Role : std::uint16_t {
  kFailing,     ///< the statement that raised, or the innermost tree frame's line
  kCaller,      ///< the line of an outer tree frame
  kCallee,      ///< the definition of a callable that the failing line calls (or that was called
                ///< wrongly)
  kOrigin,      ///< where the offending value was made or last assigned
  kDefinition,  ///< where a name of the failing line is defined (class body, attribute, constant)
  kExecuted,    ///< executed in a function that the check called
  kReturned,    ///< makes the value of a function whose result the check compares
  kImport,      ///< import statements of the files involved
  kModule,      ///< module level of a file that was executed
  kMentioned,   ///< named in the report's text only
  kSwallowed,   ///< an exception was raised here and caught inside the tree
};

/// "failing", "caller", "callee", "origin", "definition", "executed", "returned", "import",
/// "module", "mentioned", "swallowed".
std::string_view to_string(Role role);

class Roles {
 public:
  constexpr Roles() = default;
  constexpr Roles(std::initializer_list<Role> roles) {
    for (Role role : roles) add(role);
  }
  constexpr void add(Role role) { bits_ |= std::uint16_t(1u << unsigned(role)); }
  constexpr void add(Roles other) { bits_ |= other.bits_; }
  constexpr bool has(Role role) const { return (bits_ >> unsigned(role)) & 1; }
  constexpr bool any_of(Roles other) const { return bits_ & other.bits_; }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  std::uint16_t bits_ = 0;
};

/// A statement (its header only, for a compound one) that may hold the fault.
struct Location {
  std::string file;           ///< relative to the tree
  int line = 0;               ///< 1-based, first line
  int end_line = 0;           ///< 1-based, last line
  std::string function;       ///< qualified name, "" at module level
  double suspiciousness = 0;  ///< in (0, 1]
  Roles roles;
  std::vector<std::string> reasons;  ///< one phrase each, for people
  int frame =
      -1;  ///< distance of its frame from the innermost tree frame of the failure; -1: no frame
};

}  // namespace suture
