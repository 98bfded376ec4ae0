#include "repair/report/crash_dump.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repair/base/text.h"
#include "repair/report/traceback.h"

namespace suture::report {
namespace {

/// One thread's stack, outermost first.
struct Stack {
  bool is_current = false;
  std::vector<Frame> frames;
};

bool is_stack_head(std::string_view text) {
  return (text.starts_with("Thread 0x") || text.starts_with("Current thread 0x") ||
          text.starts_with("Stack (most recent call first)")) &&
         text.find("most recent call first") != std::string_view::npos;
}

Stack read_stack(Lines lines, std::size_t& at) {
  Stack stack{!lines[at].text.starts_with("Thread"), {}};
  for (++at; at < lines.size(); ++at) {
    auto frame = parse_frame_line(lines[at].text);
    bool is_note = lines[at].text.starts_with("  ");  // "  ...", "  <no Python frame>"
    if (!frame && !is_note) break;
    if (frame) stack.frames.push_back(std::move(*frame));
  }
  std::reverse(stack.frames.begin(), stack.frames.end());
  return stack;
}

std::vector<Stack> read_stacks(Lines lines, std::size_t& at) {
  std::vector<Stack> stacks;
  while (true) {
    std::size_t next = skip_blank(lines, at, "");
    if (next == lines.size() || !is_stack_head(lines[next].text)) return stacks;
    at = next;
    stacks.push_back(read_stack(lines, at));
  }
}

/// The stack that tells most: of the thread that crashed, else of the main thread, which
/// faulthandler prints last.
std::vector<Frame> choose_stack(std::vector<Stack> stacks) {
  for (Stack& stack : stacks) {
    if (stack.is_current && !stack.frames.empty()) return std::move(stack.frames);
  }
  for (auto stack = stacks.rbegin(); stack != stacks.rend(); ++stack) {
    if (!stack->frames.empty()) return std::move(stack->frames);
  }
  return {};
}

Found one(Lines lines, std::size_t at, std::size_t end, Weight weight, Failure failure) {
  Finding finding;
  finding.failure = std::move(failure);
  finding.weight = weight;
  finding.line = lines[at].number;
  return {{std::move(finding)}, end};
}

Found read_fatal_error(Lines lines, std::size_t at, std::string_view what) {
  Failure failure;
  failure.kind = FailureKind::kSignal;
  failure.type = trim(what.substr(0, what.find(':')));
  failure.message = trim(lines[at].text);
  std::size_t end = at + 1;
  // "Python runtime state: initialized" may stand in between.
  if (end < lines.size() && lines[end].text.starts_with("Python runtime state")) ++end;
  failure.frames = choose_stack(read_stacks(lines, end));
  return one(lines, at, end, Weight::kRoot, std::move(failure));
}

Found read_timeout(Lines lines, std::size_t at) {
  Failure failure;
  failure.kind = FailureKind::kHang;
  failure.message = trim(lines[at].text);
  std::size_t end = at + 1;
  failure.frames = choose_stack(read_stacks(lines, end));
  return one(lines, at, end, Weight::kDump, std::move(failure));
}

Found read_cxx_exception(Lines lines, std::size_t at, std::string type) {
  Failure failure;
  failure.type = std::move(type);
  std::size_t end = at + 1;
  if (end < lines.size() && trim(lines[end].text).starts_with("what():")) {
    failure.message = trim(trim(lines[end].text).substr(7));
    ++end;
  }
  bool is_cuda = failure.message.find("CUDA error") != std::string::npos;
  failure.kind = is_cuda ? FailureKind::kCuda : FailureKind::kSignal;
  return one(lines, at, end, Weight::kBare, std::move(failure));
}

}  // namespace

std::optional<Found> read_crash_dump(Lines lines, std::size_t at) {
  static const RE2 kTimeout(R"(Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!\s*)");
  static const RE2 kCxx(R"(terminate called after throwing an instance of '([^']+)'\s*)");
  static const RE2 kShell(
      R"((?:.*: line \d+: +\d+ )?(Segmentation fault|Aborted|Bus error|Illegal instruction|)"
      R"(Floating point exception|Killed)(?: +\(core dumped\))?(?: .*)?)");
  constexpr std::string_view kFatal = "Fatal Python error: ";
  std::string_view text = lines[at].text;
  if (text.size() < 6 || text.size() > 2000) return std::nullopt;
  re2::StringPiece piece(text.data(), text.size());

  if (text.starts_with(kFatal)) return read_fatal_error(lines, at, text.substr(kFatal.size()));
  if (text.starts_with("Timeout (") && RE2::FullMatch(piece, kTimeout)) {
    return read_timeout(lines, at);
  }
  std::string name;
  if (text.starts_with("terminate called") && RE2::FullMatch(piece, kCxx, &name)) {
    return read_cxx_exception(lines, at, std::move(name));
  }
  if (text.find("Watchdog caught collective operation timeout") != std::string_view::npos) {
    Failure failure;
    failure.kind = FailureKind::kHang;
    failure.message = trim(text);
    return one(lines, at, at + 1, Weight::kAftermath, std::move(failure));
  }
  bool is_shell = text.find("(core dumped)") != std::string_view::npos || text.size() <= 24;
  if (is_shell && RE2::FullMatch(piece, kShell, &name)) {
    Failure failure;
    failure.kind = FailureKind::kSignal;
    failure.type = std::move(name);
    failure.message = trim(text);
    return one(lines, at, at + 1, Weight::kDump, std::move(failure));
  }
  return std::nullopt;
}

}  // namespace suture::report
