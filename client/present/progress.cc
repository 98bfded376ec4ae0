#include "client/present/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace suture {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

std::size_t columns_of_standard_error() {
  winsize size{};
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// The byte at which the n-th character starts.
std::size_t byte_of_character(std::string_view text, std::size_t n) {
  std::size_t byte = 0;
  for (; byte < text.size(); ++byte) {
    bool starts = (text[byte] & 0xc0) != 0x80;
    if (starts && n-- == 0) break;
  }
  return byte;
}

std::string elide(std::string_view text, std::size_t columns) {
  auto characters =
      std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
  if (characters <= columns) return std::string(text);
  constexpr std::string_view gap = "...";
  if (columns <= gap.size()) return std::string(text.substr(0, byte_of_character(text, columns)));
  std::size_t kept = columns - gap.size();
  std::size_t tail = kept / 2;
  return fmt::format("{}{}{}", text.substr(0, byte_of_character(text, kept - tail)), gap,
                     text.substr(byte_of_character(text, characters - tail)));
}

}  // namespace

std::string progress_text(const Event& event, std::size_t columns) {
  std::string text = printable(fmt::format("{}: {}", event.stage, event.message));
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\t', ' ');
  return elide(text, columns);
}

void LiveLine::emit(const Event& event) {
  std::lock_guard lock(mutex_);
  // One column stays free: some terminals wrap when the last one is written.
  std::size_t columns = std::max<std::size_t>(width_(), 2) - 1;
  out_ << kClearLine << progress_text(event, columns) << std::flush;
  shown_ = true;
}

LiveLine::~LiveLine() {
  if (shown_) out_ << kClearLine << std::flush;
}

void LogLines::emit(const Event& event) {
  std::lock_guard lock(mutex_);
  Clock::TimePoint now = clock_.now();
  if (last_ && now - *last_ < interval_) return;
  last_ = now;
  out_ << progress_text(event, 500) << '\n' << std::flush;
}

void JsonLines::emit(const Event& event) {
  std::lock_guard lock(mutex_);
  nlohmann::ordered_json line{
      {"seconds", std::chrono::duration<double>(clock_.now() - start_).count()},
      {"stage", event.stage},
      {"message", event.message},
      {"data", event.data}};
  *out_ << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n'
        << std::flush;
}

std::unique_ptr<EventSink> make_progress(Verbosity verbosity, const Clock& clock) {
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  if (verbosity == Verbosity::kQuiet) return std::make_unique<NullSink>();
  if (verbosity == Verbosity::kVerbose) {
    return std::make_unique<LogLines>(std::cerr, clock, std::chrono::milliseconds(0));
  }
  if (sink_of(STDERR_FILENO) == Sink::kTerminal && !dumb) {
    return std::make_unique<LiveLine>(std::cerr, columns_of_standard_error);
  }
  return std::make_unique<LogLines>(std::cerr, clock, std::chrono::milliseconds(1000));
}

}  // namespace suture
