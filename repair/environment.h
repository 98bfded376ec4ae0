#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "repair/propose/facts.h"
#include "repair/report/failure.h"
#include "repair/reproduce/evidence.h"
#include "repair/reproduce/installed.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// What to change where the check runs, instead of the code.
struct EnvironmentAdvice {
  std::string advice;  ///< "pin numpy<1.24 (2.1.3 is installed)"
  std::string reason;  ///< why that is believed: one sentence
};

/// What an advice is drawn from. References outlive the call.
struct EnvironmentInput {
  const Failure& failure;
  const Evidence& evidence;
  SourceTree& tree;
  Installed& installed;
  const Facts* facts;  ///< about libraries; null: none are known
};

/// Where a failure without a patch is one of what is installed: a package that is missing; one that
/// has no name of that kind in the installed version, though a fact tells in which it has; or one
/// whose installed version the tree's own requirements rule out. Only failures of imports and
/// attributes of modules tell of that. Nothing otherwise: most failures are the code's.
std::optional<EnvironmentAdvice> advise_environment(const EnvironmentInput& input);

/// The dotted path that a failed import or a module without an attribute was asked for:
/// "numpy.float" of "module 'numpy' has no attribute 'float'"; empty for other failures.
std::string asked_path(const Failure& failure);

}  // namespace suture
