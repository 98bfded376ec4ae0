#include "repair/cache/verdict_cache.h"

namespace suture {

std::optional<std::string> MemoryVerdicts::find(const std::string& key) {
  std::lock_guard lock(mutex_);
  auto found = records_.find(key);
  return found == records_.end() ? std::nullopt : std::optional(found->second);
}

void MemoryVerdicts::keep(const std::vector<VerdictRecord>& records) {
  std::lock_guard lock(mutex_);
  for (const VerdictRecord& record : records) records_[record.key] = record.text;
}

void MemoryVerdicts::forget(const std::vector<std::string>& keys) {
  std::lock_guard lock(mutex_);
  for (const std::string& key : keys) records_.erase(key);
}

std::size_t MemoryVerdicts::size() const {
  std::lock_guard lock(mutex_);
  return records_.size();
}

}  // namespace suture
