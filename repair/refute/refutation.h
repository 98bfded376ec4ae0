#pragma once

#include <array>
#include <string>
#include <string_view>

namespace suture {

/// Why a candidate cannot be right, known without running it.
struct Refutation {
  enum class Rule {
    kEdit,   ///< its edits overlap, or its file cannot be read
    kParse,  ///< Python would not compile the edited file
    kName,   ///< it uses a name that nothing binds
    kCall,   ///< it calls a function with arguments that the function does not take
  } rule = Rule::kEdit;
  static constexpr std::array kRules{Rule::kEdit, Rule::kParse, Rule::kName, Rule::kCall};
  std::string reason;  ///< one sentence without a period
};

/// "edit", "parse", "name", "call".
std::string_view to_string(Refutation::Rule rule);

}  // namespace suture
