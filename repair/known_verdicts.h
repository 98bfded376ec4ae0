#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "repair/cache/job_memory.h"
#include "repair/job.h"
#include "repair/report/check.h"
#include "repair/validate/executor.h"
#include "repair/validate/tier.h"
#include "repair/validate/verdict.h"

namespace suture {

/// What a job found out about a candidate: the verdict of the check, other tests aside.
struct KnownVerdict {
  CheckRun run;  ///< its verdict and reason are those on the candidate; without output
  Tier tier = Tier::kFresh;
  std::string tier_reason;
  int runs = 0;        ///< check runs that it took
  double seconds = 0;  ///< their wall seconds
};

/// Verdicts on candidates, from job to job. A PASSED is only kept of a candidate that has passed
/// twice, once of that in a fresh process: so says the ladder, which keeps nothing else. Flaky
/// verdicts, and those of runs that did not get to their end, are not kept. Thread-safe.
class KnownVerdicts {
 public:
  /// `tiers`: with kFreshOnly what a warm process said does not count. `memory` must outlive the
  /// object.
  KnownVerdicts(JobMemory& memory, const Check& check, RepairRequest::Tiers tiers);

  /// `limit`: the time that a fresh run of a candidate would get now.
  std::optional<KnownVerdict> find(const FileContents& files, std::chrono::milliseconds limit);
  /// `limit`: the time that it would have got.
  void keep(const FileContents& files, const KnownVerdict& verdict,
            std::chrono::milliseconds limit);

 private:
  std::string key(const FileContents& files) const;

  JobMemory& memory_;
  std::string check_;
  RepairRequest::Tiers tiers_;
};

}  // namespace suture
