#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "repair/cache/tree_state.h"
#include "repair/cache/verdict_cache.h"
#include "repair/report/check.h"

namespace suture {

/// What one job remembers of earlier ones about its tree. A job never sees what it kept itself: two
/// runs that must agree are two runs. What it keeps is written at its end, in one go, and only if
/// the tree is still the one that it began with. Thread-safe.
class JobMemory {
 public:
  /// Looks at the whole tree. `cache` must outlive the object. `surroundings`: see
  /// digest_of_surroundings.
  JobMemory(VerdictCache& cache, std::filesystem::path tree, std::string surroundings);

  const std::filesystem::path& tree() const { return tree_; }
  /// The key of something that depends on `what`, on the tree and on the surroundings.
  std::string key(std::string_view what) const;
  /// The digest of a check (see digest_of_check), found out once.
  std::string digest_of(const Check& check);

  std::optional<std::string> find(const std::string& key);
  void keep(const std::string& key, std::string text);
  /// Neither this job's record nor an earlier one's is to be used again.
  void forget(const std::string& key);
  /// Nothing of this job is worth keeping, so far.
  void drop();
  /// Writes what was kept.
  void commit();

 private:
  VerdictCache& cache_;
  std::filesystem::path tree_;
  TreeState state_;
  std::string situation_;
  std::mutex mutex_;
  std::map<std::string, std::string> checks_;  ///< command and variables -> digest
  std::map<std::string, std::string> kept_;
  std::set<std::string> forgotten_;
};

}  // namespace suture
