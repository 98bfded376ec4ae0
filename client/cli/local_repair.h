#pragma once

#include "client/cli/repair_job.h"
#include "repair/base/clock.h"
#include "repair/base/event.h"
#include "repair/pipeline.h"
#include "repair/process/process_runner.h"

namespace suture {

/// Runs a job on this machine: loads the patterns, builds the executor and the other services, and
/// calls repair(). A cache of verdicts that cannot be used costs a line in job.notes, not the job.
/// Errors: kBadInput for a bad pattern file, kUsage for unknown words of --only and
/// --exclude, kInfra when checks cannot run here.
Result<RepairResult> repair_locally(RepairJob& job, ProcessRunner& processes, EventSink& events,
                                    Clock& clock, const CancelToken& cancel);

}  // namespace suture
