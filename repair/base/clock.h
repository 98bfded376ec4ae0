#pragma once

#include <chrono>

namespace suture {

/// Time as the domain sees it. Injected, so that the domain reads no wall clock of its own and
/// tests can move time by hand.
class Clock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  virtual ~Clock() = default;
  /// Monotonic; only differences mean anything.
  virtual TimePoint now() const = 0;
  /// CPU seconds (user and system) that this process itself has used so far, children excluded.
  virtual double own_cpu_seconds() const = 0;
};

/// The machine's clock.
class SystemClock final : public Clock {
 public:
  TimePoint now() const override;
  double own_cpu_seconds() const override;
};

/// A clock that moves only when told to. For tests.
class ManualClock final : public Clock {
 public:
  TimePoint now() const override { return now_; }
  double own_cpu_seconds() const override { return cpu_; }
  void advance(std::chrono::milliseconds by) { now_ += by; }
  void use_cpu(double seconds) { cpu_ += seconds; }

 private:
  TimePoint now_{};
  double cpu_ = 0;
};

}  // namespace suture
