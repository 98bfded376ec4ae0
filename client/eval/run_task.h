#pragma once

#include <string>

#include "client/eval/eval.h"
#include "client/eval/task.h"
#include "repair/base/cancel.h"
#include "repair/base/result.h"

namespace suture {

/// Whether an evaluation can work at all, asked with the task of its first bug before anything
/// starts: the patterns load, and checks can run here. Errors: as for a single repair.
Status rehearse(const RepairTask& task);

/// Repairs one bug in this process, as `suture repair` would; what `eval-one` does between its
/// input and its output. `version` is for the details file. Errors: kBadInput for patterns that do
/// not load, kInfra when checks cannot run here; what goes wrong in the repair is an outcome of the
/// line.
Result<InstanceResult> run_task(const RepairTask& task, const std::string& version,
                                const CancelToken& cancel);

}  // namespace suture
