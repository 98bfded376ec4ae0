#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "client/eval/result_line.h"
#include "repair/base/result.h"

namespace suture {

/// The file of result lines: grows by whole lines, each on the disk before the next is begun, so
/// that a crash or a power cut costs no more than the line being written. Held under an exclusive
/// lock, so that two evaluations cannot mix their lines. Thread-safe.
class ResultFile {
 public:
  /// A new file. Errors: kUsage when there is one already, kInfra when it cannot be made.
  static Result<std::unique_ptr<ResultFile>> create(const std::filesystem::path& path);
  /// Goes on with an earlier file, or makes it. A last line that was torn by a crash is cut off.
  /// Errors: kBadInput with file:line for any other line that cannot be read, kUsage when another
  /// evaluation has the file open, kInfra.
  static Result<std::unique_ptr<ResultFile>> resume(const std::filesystem::path& path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// The lines that the file had when it was opened.
  const std::vector<ResultLine>& earlier() const { return earlier_; }
  /// Appends, flushes, fsyncs. On an error the file is as before. Errors: kInfra (disk full ...).
  Status append(const ResultLine& line);

 private:
  ResultFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  static Result<std::unique_ptr<ResultFile>> open(const std::filesystem::path& path, int flags);
  Status load();

  std::filesystem::path path_;
  int fd_;
  std::int64_t size_ = 0;  ///< of the whole lines
  std::vector<ResultLine> earlier_;
  std::mutex mutex_;
};

}  // namespace suture
