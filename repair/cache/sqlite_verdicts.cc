#include "repair/cache/sqlite_verdicts.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdlib>
#include <system_error>
#include <utility>

namespace suture {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 1;
constexpr int kPatienceMs = 3000;
/// Eviction frees this share of the bound, so that it is rare.
constexpr double kFreed = 0.25;

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS verdicts ("
    " key TEXT PRIMARY KEY,"
    " used INTEGER NOT NULL,"  // number of the keep() that wrote or used it last
    " bytes INTEGER NOT NULL,"
    " record BLOB NOT NULL);"
    "CREATE INDEX IF NOT EXISTS verdicts_by_use ON verdicts (used);";

std::string hint_to_remove(const fs::path& file) {
  return fmt::format("delete {} to start afresh, or use --no-cache", file.string());
}

}  // namespace

/// A connection. Every failure is an exception of this file alone: it ends the use of the cache.
class SqliteVerdicts::Database {
 public:
  struct Failed {
    std::string why;
  };

  explicit Database(const fs::path& file) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(file.c_str(), &handle_.pointer, flags, nullptr);
    if (code != SQLITE_OK) fail_with();
    sqlite3_busy_timeout(handle_.pointer, kPatienceMs);
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = NORMAL");  // a power cut may cost records, never the file
    std::int64_t schema = number("PRAGMA user_version");
    if (schema != 0 && schema != kSchema)
      throw Failed{fmt::format("it was made by another version (schema {})", schema)};
    if (schema == kSchema) return;
    run(kTables);
    run(fmt::format("PRAGMA user_version = {}", kSchema));
  }

  void run(const std::string& sql) {
    if (sqlite3_exec(handle_.pointer, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      fail_with();
  }

  /// The first column of the first row; 0 when there is none.
  std::int64_t number(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.step() ? sqlite3_column_int64(statement.get(), 0) : 0;
  }

  class Statement {
   public:
    Statement(Database& database, const std::string& sql) : database_(database) {
      if (sqlite3_prepare_v2(database.handle_.pointer, sql.c_str(), -1, &statement_, nullptr) !=
          SQLITE_OK)
        database.fail_with();
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    sqlite3_stmt* get() { return statement_; }
    Statement& bind(int column, const std::string& text) {
      sqlite3_bind_blob64(statement_, column, text.data(), text.size(), SQLITE_TRANSIENT);
      return *this;
    }
    Statement& bind(int column, std::int64_t number) {
      sqlite3_bind_int64(statement_, column, number);
      return *this;
    }
    /// Whether there is a row.
    bool step() {
      int code = sqlite3_step(statement_);
      if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail_with();
      return code == SQLITE_ROW;
    }
    void again() { sqlite3_reset(statement_); }

   private:
    Database& database_;
    sqlite3_stmt* statement_ = nullptr;
  };

  /// Does all of it or nothing.
  template <class Work>
  void transaction(Work work) {
    run("BEGIN IMMEDIATE");
    try {
      work();
      run("COMMIT");
    } catch (const Failed&) {
      sqlite3_exec(handle_.pointer, "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

 private:
  [[noreturn]] void fail_with() {
    std::string why =
        handle_.pointer != nullptr ? sqlite3_errmsg(handle_.pointer) : "out of memory";
    throw Failed{std::move(why)};
  }

  /// A member, so that it is closed when the constructor fails.
  struct Handle {
    Handle() = default;
    ~Handle() { sqlite3_close(pointer); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    sqlite3* pointer = nullptr;
  } handle_;
};

SqliteVerdicts::SqliteVerdicts(std::unique_ptr<Database> database, Warn warn,
                               std::int64_t max_bytes)
    : database_(std::move(database)), warn_(std::move(warn)), max_bytes_(max_bytes) {}

SqliteVerdicts::~SqliteVerdicts() = default;

Result<std::unique_ptr<SqliteVerdicts>> SqliteVerdicts::open(const fs::path& file, Warn warn,
                                                             std::int64_t max_bytes) {
  std::error_code error;
  if (fs::create_directories(file.parent_path().parent_path(), error); error) {
    return fail(ErrorKind::kInfra,
                fmt::format("cannot make {}: {}", file.parent_path().string(), error.message()));
  }
  // What checks print may be private.
  mkdir(file.parent_path().c_str(), 0700);
  try {
    auto database = std::make_unique<Database>(file);
    return std::unique_ptr<SqliteVerdicts>(
        new SqliteVerdicts(std::move(database), std::move(warn), max_bytes));
  } catch (const Database::Failed& failed) {
    return fail(ErrorKind::kInfra, fmt::format("cannot use {}: {}", file.string(), failed.why),
                hint_to_remove(file));
  }
}

void SqliteVerdicts::give_up(const std::string& why) {
  database_.reset();
  if (warn_) warn_(fmt::format("verdicts are not remembered any more: {}", why));
}

std::optional<std::string> SqliteVerdicts::find(const std::string& key) {
  std::lock_guard lock(mutex_);
  if (!database_) return std::nullopt;
  try {
    Database::Statement statement(*database_, "SELECT record FROM verdicts WHERE key = ?");
    if (!statement.bind(1, key).step()) return std::nullopt;
    const void* bytes = sqlite3_column_blob(statement.get(), 0);
    auto size = std::size_t(sqlite3_column_bytes(statement.get(), 0));
    used_.push_back(key);
    return std::string(static_cast<const char*>(bytes), bytes == nullptr ? 0 : size);
  } catch (const Database::Failed& failed) {
    give_up(failed.why);
    return std::nullopt;
  }
}

void SqliteVerdicts::keep(const std::vector<VerdictRecord>& records) {
  std::lock_guard lock(mutex_);
  if (!database_ || (records.empty() && used_.empty())) return;
  try {
    database_->transaction([&] {
      std::int64_t now = database_->number("SELECT max(used) FROM verdicts") + 1;
      Database::Statement touch(*database_, "UPDATE verdicts SET used = ? WHERE key = ?");
      for (const std::string& key : used_) {
        touch.bind(1, now).bind(2, key).step();
        touch.again();
      }
      Database::Statement insert(
          *database_,
          "INSERT OR REPLACE INTO verdicts (key, used, bytes, record) VALUES (?,?,?,?)");
      for (const VerdictRecord& record : records) {
        auto bytes = std::int64_t(record.text.size() + record.key.size());
        insert.bind(1, record.key).bind(2, now).bind(3, bytes).bind(4, record.text).step();
        insert.again();
      }
      std::int64_t all = database_->number("SELECT sum(bytes) FROM verdicts");
      if (all <= max_bytes_) return;
      std::int64_t goal = all - std::int64_t(double(max_bytes_) * (1 - kFreed));
      Database::Statement evict(*database_,
                                "DELETE FROM verdicts WHERE key IN (SELECT key FROM (SELECT key, "
                                "sum(bytes) OVER (ORDER BY used, key) - bytes AS before FROM "
                                "verdicts) WHERE before < ?)");
      evict.bind(1, goal).step();
    });
    used_.clear();
  } catch (const Database::Failed& failed) {
    give_up(failed.why);
  }
}

void SqliteVerdicts::forget(const std::vector<std::string>& keys) {
  std::lock_guard lock(mutex_);
  if (!database_ || keys.empty()) return;
  try {
    database_->transaction([&] {
      Database::Statement statement(*database_, "DELETE FROM verdicts WHERE key = ?");
      for (const std::string& key : keys) {
        statement.bind(1, key).step();
        statement.again();
      }
    });
  } catch (const Database::Failed& failed) {
    give_up(failed.why);
  }
}

fs::path verdicts_file() {
  auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
  };
  fs::path cache = folder("XDG_CACHE_HOME");
  if (cache.empty() && !folder("HOME").empty()) cache = folder("HOME") / ".cache";
  return cache.empty() ? cache : cache / "suture" / "verdicts.sqlite";
}

}  // namespace suture
