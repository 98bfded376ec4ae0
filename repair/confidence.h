#pragma once

#include "repair/job.h"

namespace suture {

/// How sure suture is that a plausible candidate is right, not only green. Sets the proposal's
/// confidence (0.02 to 0.95) and its reasons: how often the pattern is right, the message it asks
/// for, rank, rivals that pass as well, silencing, what else was rerun.
void judge_confidence(Proposal& proposal, const RepairResult& result);

}  // namespace suture
