#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace suture {

/// What one check run showed, as its user wrote it down, under a digest of all that it depends on.
struct VerdictRecord {
  std::string key;
  std::string text;
};

/// Remembers from job to job. A cache, not a store: what it has forgotten is found out again, and
/// one that cannot be read or written remembers nothing. So there are no errors. Thread-safe.
class VerdictCache {
 public:
  virtual ~VerdictCache() = default;
  virtual std::optional<std::string> find(const std::string& key) = 0;
  /// All or none; a record of the same key is replaced.
  virtual void keep(const std::vector<VerdictRecord>& records) = 0;
  virtual void forget(const std::vector<std::string>& keys) = 0;
};

/// Remembers as long as it lives. For tests.
class MemoryVerdicts final : public VerdictCache {
 public:
  std::optional<std::string> find(const std::string& key) override;
  void keep(const std::vector<VerdictRecord>& records) override;
  void forget(const std::vector<std::string>& keys) override;
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> records_;
};

}  // namespace suture
