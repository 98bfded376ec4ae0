#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include "client/present/global_options.h"
#include "client/present/palette.h"
#include "repair/base/clock.h"
#include "repair/base/event.h"

namespace suture {

/// One line of live progress on a terminal: overwritten in place and elided to the terminal's
/// width. Takes itself off the screen when it goes.
class LiveLine final : public EventSink {
 public:
  /// `width`: columns of the terminal, asked before each line because windows get resized.
  LiveLine(std::ostream& out, std::function<std::size_t()> width)
      : out_(out), width_(std::move(width)) {}
  ~LiveLine() override;
  void emit(const Event& event) override;

 private:
  std::ostream& out_;
  std::function<std::size_t()> width_;
  std::mutex mutex_;
  bool shown_ = false;
};

/// Progress as lines of a log, at most one in `interval`; what comes in between is left out. With
/// an interval of zero everything is written.
class LogLines final : public EventSink {
 public:
  LogLines(std::ostream& out, const Clock& clock, std::chrono::milliseconds interval)
      : out_(out), clock_(clock), interval_(interval) {}
  void emit(const Event& event) override;

 private:
  std::ostream& out_;
  const Clock& clock_;
  std::chrono::milliseconds interval_;
  std::mutex mutex_;
  std::optional<Clock::TimePoint> last_;
};

/// Every event as one line of JSON: {"seconds", "stage", "message", "data"}.
class JsonLines final : public EventSink {
 public:
  JsonLines(std::unique_ptr<std::ostream> out, const Clock& clock)
      : out_(std::move(out)), clock_(clock), start_(clock.now()) {}
  void emit(const Event& event) override;

 private:
  std::unique_ptr<std::ostream> out_;
  const Clock& clock_;
  Clock::TimePoint start_;
  std::mutex mutex_;
};

/// Hands every event on to several sinks.
class Tee final : public EventSink {
 public:
  void add(std::unique_ptr<EventSink> sink) { sinks_.push_back(std::move(sink)); }
  void emit(const Event& event) override {
    for (auto& sink : sinks_) sink->emit(event);
  }

 private:
  std::vector<std::unique_ptr<EventSink>> sinks_;
};

/// The progress sink for standard error: nothing with -q, every event with -v, else a live line on
/// a terminal and at most one line a second elsewhere. `clock` must outlive it.
std::unique_ptr<EventSink> make_progress(Verbosity verbosity, const Clock& clock);

/// "validate: 12 of 40 candidates", cut in the middle to at most `columns` characters.
std::string progress_text(const Event& event, std::size_t columns);

}  // namespace suture
