#pragma once

#include <filesystem>
#include <optional>

#include "repair/cache/cached_executor.h"
#include "repair/cache/job_memory.h"
#include "repair/pipeline.h"

namespace suture {

/// How the check is run where earlier jobs may know what comes of it.
class CheckRuns {
 public:
  CheckRuns(Services& services, const std::filesystem::path& tree) : plain_(services.executor) {
    if (services.verdicts == nullptr) return;
    memory_.emplace(*services.verdicts, tree, services.surroundings);
    cached_.emplace(plain_, *memory_);
  }
  ~CheckRuns() {
    if (memory_) memory_->commit();
  }
  CheckRuns(const CheckRuns&) = delete;
  CheckRuns& operator=(const CheckRuns&) = delete;

  Executor& executor() { return cached_ ? static_cast<Executor&>(*cached_) : plain_; }
  JobMemory* memory() { return memory_ ? &*memory_ : nullptr; }

 private:
  Executor& plain_;
  std::optional<JobMemory> memory_;
  std::optional<CachedExecutor> cached_;
};

}  // namespace suture
