#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/cache/job_memory.h"
#include "repair/job.h"
#include "repair/report/check.h"
#include "repair/validate/executor.h"
#include "repair/validate/predicate_switch.h"
#include "repair/validate/tier.h"
#include "repair/validate/verdict.h"

namespace suture {

/// What a job found out about a candidate: the verdict of the check, other tests aside.
struct KnownVerdict {
  CheckRun run;  ///< its verdict and reason are those on the candidate; without output
  Tier tier = Tier::kFresh;
  std::string tier_reason;
  int runs = 0;                            ///< check runs that it took
  double seconds = 0;                      ///< their wall seconds
  std::optional<ExceptionRecord> failure;  ///< how the check fails, where that is known
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

  /// Ids of the candidates that an earlier job of the same tree and check looked at, in its order.
  std::vector<std::string> order();
  /// What this job has looked at, on top of what it told before. What only earlier jobs looked at
  /// comes behind it: a job with a larger budget may have got further.
  void keep_order(const std::vector<std::string>& ids);
  /// After how many candidates of one edit an earlier job went on to two and found a patch; 0: none
  /// did. This job is to do so too.
  std::size_t one_edit();
  void keep_one_edit(std::size_t candidates);
  /// What forcing conditions said, of the same conditions.
  std::optional<SwitchReport> switched(const std::vector<ConditionPlace>& conditions);
  void keep_switched(const std::vector<ConditionPlace>& conditions, const SwitchReport& report);
  /// The time limit of fresh runs in an earlier job: where the check hangs it has to be measured.
  std::optional<std::chrono::milliseconds> limit();
  void keep_limit(std::chrono::milliseconds limit);

 private:
  std::string key(const FileContents& files) const;
  std::string key(std::string_view what) const;
  std::int64_t number(std::string_view what);

  JobMemory& memory_;
  std::string check_;
  RepairRequest::Tiers tiers_;
  std::vector<std::string> looked_at_;  ///< by this job, in its order
};

}  // namespace suture
