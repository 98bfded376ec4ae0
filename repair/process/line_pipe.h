#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace suture {

/// A pipe with a name (a FIFO), on which lines go to or come from a process in the sandbox. What
/// that process writes is bounded here, whatever it does.
class LinePipe {
 public:
  /// Makes the pipe at `path`, for whoever the process runs as. Lines that come and are longer than
  /// `longest_line` bytes are dropped.
  explicit LinePipe(const std::filesystem::path& path, std::size_t longest_line = 1 << 16);
  ~LinePipe();
  LinePipe(const LinePipe&) = delete;
  LinePipe& operator=(const LinePipe&) = delete;

  /// Whether it could be made.
  bool ready() const { return descriptor_ >= 0; }
  /// Sends a short line, with its line break, at once or not at all.
  bool send(const std::string& line);
  /// Waits for at most `wait`; returns the whole lines that have come, without line breaks.
  std::vector<std::string> lines(std::chrono::milliseconds wait);

 private:
  std::size_t longest_line_;
  int descriptor_ = -1;
  std::string rest_;
};

}  // namespace suture
