#pragma once

#include <string>

#include "client/present/job_context.h"
#include "repair/job.h"

namespace suture {

/// The result as SARIF 2.1.0: a rule for each pattern that proposes something, a result with a fix
/// for each proposal. A job without a proposal has no results but a notification with the reason.
std::string render_sarif(const RepairResult& result, const JobContext& context);

}  // namespace suture
