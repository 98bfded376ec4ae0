#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "repair/base/event.h"
#include "repair/base/result.h"
#include "repair/report/check.h"
#include "repair/reproduce/evidence.h"
#include "repair/validate/executor.h"

namespace suture {

/// What running the check at the base revision said.
enum class Reproduction {
  kRed,            ///< failed twice
  kNotReproduced,  ///< passed twice
  kFlaky,          ///< once red, once green
  kInfra,          ///< could not be run
  kCancelled,
};

struct Reproduced {
  Reproduction outcome = Reproduction::kInfra;
  CheckRun plain;     ///< the untraced run: its output is the report when the user gave none
  CheckRun traced;    ///< the run with the probe
  Failure failure;    ///< what the output shows; kHang for a time-out
  Evidence evidence;  ///< empty when the probe did not run or was overwritten
  std::string reason;
};

/// What the output of a red run shows; where it shows nothing, what the probe saw.
Failure failure_shown_by(const CheckRun& run, const Evidence& evidence);

/// Runs the check twice at the base revision, once with the probe on PYTHONPATH. `tree` is
/// absolute. `on_red` is called when the first run is red, before the second: what it starts runs
/// beside that one.
Reproduced reproduce(const Check& check, const std::filesystem::path& tree, Executor& executor,
                     EventSink& events, const CancelToken& cancel,
                     const std::function<void(const CheckRun&)>& on_red);

}  // namespace suture
