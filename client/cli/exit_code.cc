#include "client/cli/exit_code.h"

#include <iostream>

#include "client/present/palette.h"

namespace suture {

ExitCode exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPatched:
      return kExitPatched;
    case Outcome::kNoPatch:
      return kExitNoPatch;
    case Outcome::kNotReproduced:
    case Outcome::kFlakyCheck:
      return kExitNotReproduced;
    case Outcome::kEnvironment:
      return kExitEnvironment;
    case Outcome::kInfraError:
      return kExitInfrastructure;
    case Outcome::kUnsupported:
    case Outcome::kNoCheck:
      return kExitUnsupported;
    case Outcome::kCancelled:
      return kExitInterrupted;
  }
  return kExitInternal;
}

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
    case ErrorKind::kBadInput:
    case ErrorKind::kNotFound:
      return kExitUsage;
    case ErrorKind::kUnsupported:
      return kExitUnsupported;
    case ErrorKind::kInfra:
      return kExitInfrastructure;
    case ErrorKind::kCancelled:
      return kExitInterrupted;
    case ErrorKind::kInternal:
      return kExitInternal;
  }
  return kExitInternal;
}

ExitCode report_error(const Error& error) {
  Error message = error;
  message.hint.clear();
  std::cerr << "suture: " << printable(message.display()) << '\n';
  if (!error.hint.empty()) std::cerr << "  " << printable(error.hint) << '\n';
  return exit_code(error.kind);
}

}  // namespace suture
