#pragma once

#include <map>
#include <mutex>
#include <string>

#include "repair/cache/job_memory.h"
#include "repair/validate/executor.h"

namespace suture {

/// Answers with the runs of earlier jobs. A record stands for one run: where a job runs the same
/// thing n times, because n runs must agree, it is answered n times at most from n runs that were
/// made. Where the runs of one thing differ, it is flaky, and all of them are forgotten. Part of an
/// answer are the files that the run left in the folders that it could write to (what the probe
/// saw). Only runs to the end are kept; their output is kept with them.
class CachedExecutor final : public Executor {
 public:
  CachedExecutor(Executor& inner, JobMemory& memory) : inner_(inner), memory_(memory) {}

  Status ready() override { return inner_.ready(); }
  CheckRun run(const RunRequest& request, const CancelToken& cancel) override;

 private:
  /// The runs of one thing in this job.
  struct Series {
    int runs = 0;
    Verdict verdict = Verdict::kNotRun;
    bool flaky = false;
  };
  void compare(const std::string& subject, int number, const CheckRun& run);
  std::string key(const std::string& subject, int number) const;

  Executor& inner_;
  JobMemory& memory_;
  std::mutex mutex_;
  std::map<std::string, Series> series_;  ///< by digest of the request
};

}  // namespace suture
