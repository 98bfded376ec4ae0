#pragma once

#include <cstddef>
#include <mutex>
#include <ostream>
#include <string_view>

#include "client/eval/result_line.h"
#include "repair/base/clock.h"

namespace suture {

/// Tells how far an evaluation is: bugs done of all, patched so far, estimated time left. One line
/// that is written anew on a terminal; a line a finished bug elsewhere. Thread-safe.
class Progress {
 public:
  /// `total`: bugs that will run now. The clock must outlive the object.
  Progress(std::ostream& out, bool terminal, std::size_t total, const Clock& clock);
  void finished(const ResultLine& line);
  /// Something the user should know that is no result.
  void warn(std::string_view message);
  /// Leaves the cursor at the start of an empty line.
  void close();

 private:
  std::string counts() const;

  std::ostream& out_;
  bool terminal_;
  std::size_t total_;
  const Clock& clock_;
  Clock::TimePoint start_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::size_t patched_ = 0;
};

}  // namespace suture
