#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/propose/arguments.h"
#include "repair/propose/context.h"

namespace suture {

/// A piece of code that may fill a hole.
struct Ingredient {
  std::string text;
  double weight = 1;  ///< how likely it is the right one, in (0, 1]
  Node node;          ///< where it stands, for providers that point at places
};

/// Where ingredients come from; pattern files name one under `holes:`.
struct Provider {
  std::string_view name;
  std::string_view help;  ///< one line for the reference page
  Signature signature;
  std::vector<Ingredient> (*offer)(const Match&, const Arguments&);
};

/// All providers, sorted by name.
const std::vector<Provider>& providers();
const Provider* find_provider(std::string_view name);

}  // namespace suture
