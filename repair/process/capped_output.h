#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace suture {

/// Text that may grow without end, of which the first and the last half of `limit` bytes are kept.
/// Memory stays below twice the limit.
class CappedOutput {
 public:
  explicit CappedOutput(std::size_t limit) : limit_(limit) {}
  void append(std::string_view text);
  bool truncated() const { return dropped_ > 0 || tail_.size() > tail_limit(); }
  /// Head, a note that says how much is missing, tail; or all of it.
  std::string text() const;

 private:
  std::size_t head_limit() const { return limit_ / 2; }
  std::size_t tail_limit() const { return limit_ - head_limit(); }

  std::size_t limit_;
  std::string head_;
  std::string tail_;  ///< grows to twice its limit before its front is cut, so that cuts are rare
  std::size_t dropped_ = 0;
};

}  // namespace suture
