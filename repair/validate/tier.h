#pragma once

#include <string_view>

namespace suture {

/// How a check run was made (architecture.md, decision 3). Only a fresh run is the truth; the
/// others tell cheaply which candidates are worth one.
enum class Tier {
  kSplit,    ///< the base run, forked at the first call of an edited function
  kPreload,  ///< a whole run, forked from a process that has the third-party modules
  kFresh,    ///< a new process in a tree of its own
};

/// "split", "preload", "fresh".
std::string_view to_string(Tier tier);

}  // namespace suture
