#pragma once

#include "repair/base/result.h"
#include "repair/job.h"

namespace suture {

/// The exit codes of suture; `suture help exit-codes` and the README list them.
enum ExitCode : int {
  kExitPatched = 0,  ///< also: whatever else was asked for worked
  kExitNoPatch = 1,
  kExitUsage = 2,           ///< and bad input
  kExitNotReproduced = 3,   ///< or the check is flaky
  kExitEnvironment = 4,     ///< another version is needed, not a patch
  kExitInfrastructure = 5,  ///< this machine could not do it
  kExitUnsupported = 6,     ///< or there is no check
  kExitInternal = 70,       ///< a defect of suture (EX_SOFTWARE)
  kExitInterrupted = 130,   ///< 128 + SIGINT, as shells have it
};

ExitCode exit_code(Outcome outcome);
ExitCode exit_code(ErrorKind kind);

/// Writes "suture: message" and the hint to standard error; gives the exit code of the error's
/// kind.
ExitCode report_error(const Error& error);

}  // namespace suture
