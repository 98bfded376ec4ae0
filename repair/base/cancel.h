#pragma once

#include <atomic>
#include <memory>

namespace suture {

/// A shared "please stop" flag. Copies share the flag. Setting it is async-signal-safe; whoever
/// waits must look at it at least every 100 ms.
class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_->load(std::memory_order_relaxed); }
  /// The flag itself, for a signal handler that must not touch the token.
  std::atomic<bool>* flag() const { return flag_.get(); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace suture
