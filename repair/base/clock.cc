#include "repair/base/clock.h"

#include <sys/resource.h>

namespace suture {

Clock::TimePoint SystemClock::now() const { return std::chrono::steady_clock::now(); }

double SystemClock::own_cpu_seconds() const {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

}  // namespace suture
