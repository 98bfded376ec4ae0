#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "repair/base/result.h"
#include "repair/cache/verdict_cache.h"

namespace suture {

/// Verdicts in a file, for all jobs of a user. Several processes may use it at once (write-ahead
/// log; who writes while another does waits a little). When it grows beyond its bound, the records
/// that were not used for the longest time go.
class SqliteVerdicts final : public VerdictCache {
 public:
  /// Told once, in one sentence, when the file turns out to be of no use later on; then the cache
  /// remembers nothing.
  using Warn = std::function<void(const std::string&)>;

  static constexpr std::int64_t kMaxBytes = 256 << 20;

  /// Opens or makes the file; its folder is made for the user alone. `max_bytes`: of all records.
  /// Errors: kInfra when the folder cannot be made, the file cannot be opened, is no database or is
  /// one of another version.
  static Result<std::unique_ptr<SqliteVerdicts>> open(const std::filesystem::path& file, Warn warn,
                                                      std::int64_t max_bytes = kMaxBytes);
  ~SqliteVerdicts() override;

  std::optional<std::string> find(const std::string& key) override;
  void keep(const std::vector<VerdictRecord>& records) override;
  void forget(const std::vector<std::string>& keys) override;

 private:
  class Database;
  SqliteVerdicts(std::unique_ptr<Database> database, Warn warn, std::int64_t max_bytes);
  void give_up(const std::string& why);

  std::mutex mutex_;
  std::unique_ptr<Database> database_;  ///< null after an error
  std::vector<std::string> used_;       ///< keys found since the last keep()
  Warn warn_;
  std::int64_t max_bytes_;
};

/// "$XDG_CACHE_HOME/suture/verdicts.sqlite", below "$HOME/.cache" where that is not set; empty when
/// neither is an absolute path.
std::filesystem::path verdicts_file();

}  // namespace suture
