#pragma once

#include "repair/base/cancel.h"

namespace suture {

/// How much is said on standard error while working. The result on standard output is the same.
enum class Verbosity { kQuiet, kNormal, kVerbose };

/// Whether a person asked for colour or against it; kAuto leaves it to the environment and the
/// terminal.
enum class ColourWish { kAuto, kNever };

/// What holds for every subcommand: filled by the top of the command line before a subcommand runs.
struct GlobalOptions {
  Verbosity verbosity = Verbosity::kNormal;
  ColourWish colour = ColourWish::kAuto;
  CancelToken cancel;  ///< fires on the first Ctrl-C
};

}  // namespace suture
