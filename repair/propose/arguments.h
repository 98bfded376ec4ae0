#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"

namespace suture {

/// The arguments of a predicate, provider or operator as a pattern file gives them. Every argument
/// is a list of texts; a scalar is a list of one.
struct Arguments {
  std::map<std::string, std::vector<std::string>, std::less<>> values;
  SourcePos where;

  bool has(std::string_view name) const { return values.contains(name); }
  /// The only (first) value, or `otherwise`.
  std::string one(std::string_view name, std::string_view otherwise = "") const;
  const std::vector<std::string>& all(std::string_view name) const;
  int number(std::string_view name, int otherwise) const;
};

/// The names of the arguments that something takes, so that a wrong file dies at load.
struct Signature {
  std::vector<std::string> required, optional;
  /// Errors: kBadInput for a missing or unknown argument, with the place in the file.
  Status check(std::string_view what, const Arguments& arguments) const;
};

/// A metavariable without its `$`: "$X" -> "X".
std::string_view hole_name(std::string_view text);

}  // namespace suture
