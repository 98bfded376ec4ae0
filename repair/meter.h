#pragma once

#include <chrono>

#include "repair/base/clock.h"

namespace suture {

/// Wall and CPU time of a job.
class Meter {
 public:
  explicit Meter(Clock& clock)
      : clock_(clock), start_(clock.now()), cpu_(clock.own_cpu_seconds()) {}
  double seconds() const { return std::chrono::duration<double>(clock_.now() - start_).count(); }
  double cpu_seconds() const { return clock_.own_cpu_seconds() - cpu_; }

 private:
  Clock& clock_;
  Clock::TimePoint start_;
  double cpu_;
};

}  // namespace suture
