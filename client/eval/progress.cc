#include "client/eval/progress.h"

#include <fmt/format.h>

#include <string>

namespace suture {
namespace {

constexpr std::string_view kClearLine = "\r\033[K";

/// "45s", "12m", "1h05m": as precise as an estimate deserves.
std::string coarse(double seconds) {
  auto whole = std::int64_t(seconds + 0.5);
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m", (whole + 30) / 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
}

}  // namespace

Progress::Progress(std::ostream& out, bool terminal, std::size_t total, const Clock& clock)
    : out_(out), terminal_(terminal), total_(total), clock_(clock), start_(clock.now()) {
  if (terminal_) out_ << kClearLine << counts() << std::flush;
}

std::string Progress::counts() const {
  std::string text = fmt::format("{}/{} bugs, {} patched", done_, total_, patched_);
  if (done_ > 0 && done_ < total_) {
    std::chrono::duration<double> elapsed = clock_.now() - start_;
    text += fmt::format(", about {} left",
                        coarse(elapsed.count() / double(done_) * double(total_ - done_)));
  }
  return text;
}

void Progress::finished(const ResultLine& line) {
  std::lock_guard lock(mutex_);
  ++done_;
  if (line.outcome == to_string(Outcome::kPatched)) ++patched_;
  if (terminal_) {
    out_ << kClearLine << counts() << " (last: " << line.instance_id << " " << line.outcome << ")";
  } else {
    out_ << fmt::format("{}: {} {} in {:.1f}s\n", counts(), line.instance_id, line.outcome,
                        line.seconds);
  }
  out_ << std::flush;
}

void Progress::warn(std::string_view message) {
  std::lock_guard lock(mutex_);
  out_ << (terminal_ ? kClearLine : "") << message << "\n";
  if (terminal_) out_ << counts();
  out_ << std::flush;
}

void Progress::close() {
  std::lock_guard lock(mutex_);
  if (terminal_) out_ << kClearLine << std::flush;
}

}  // namespace suture
