#pragma once

#include <map>
#include <string>
#include <string_view>

#include "repair/syntax/node.h"

namespace suture {

/// What a metavariable stands for. `node` is null when the text came from the failure's message or
/// from a provider; a `$$$SEQUENCE` has the text of all its nodes and no node.
struct Binding {
  std::string text;
  Node node;
};

/// Metavariable name (without `$`) -> binding.
using Bindings = std::map<std::string, Binding, std::less<>>;

}  // namespace suture
