#include "repair/reproduce/reproduce.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "repair/report/report.h"
#include "repair/reproduce/traced_run.h"

namespace suture {
namespace {
namespace fs = std::filesystem;

/// Tracing makes some checks slower; a check that is near its limit must not run into it for that.
constexpr int kTracedTimeFactor = 3;

bool red(const CheckRun& run) { return is_red(run.verdict); }

bool green(const CheckRun& run) { return run.verdict == Verdict::kPassed; }

FailureKind kind_of(std::string_view type) {
  auto is = [&](auto... names) { return ((type == names) || ...); };
  if (is("AssertionError", "SystemExit")) return FailureKind::kAssertion;
  if (is("ImportError", "ModuleNotFoundError")) return FailureKind::kImport;
  if (is("SyntaxError", "IndentationError", "TabError")) return FailureKind::kSyntax;
  return FailureKind::kException;
}

/// As a traceback prints it.
std::string full_type(const LiveException& live) {
  bool bare = live.module.empty() || live.module == "builtins" || live.module == "__main__" ||
              live.module == "suture_probe";
  return bare ? live.type : live.module + "." + live.type;
}

std::vector<Frame> printed_frames(const LiveException& live) {
  std::vector<Frame> frames;
  for (const LiveFrame& each : live.frames) {
    Frame frame;
    frame.file = each.file;
    frame.line = each.at.line;
    frame.function = each.function;
    frames.push_back(std::move(frame));
  }
  return frames;
}

/// One reproduction. Steps fill `result_`; each returns whether to go on.
class Reproducer {
 public:
  Reproducer(const Check& check, const fs::path& tree, Executor& executor, EventSink& events,
             const CancelToken& cancel, const std::function<void(const CheckRun&)>& on_red)
      : check_(check),
        tree_(tree),
        executor_(executor),
        events_(events),
        cancel_(cancel),
        on_red_(on_red) {}

  Reproduced run() {
    say("running the check");
    if (!run_plain(result_.plain)) return std::move(result_);
    if (red(result_.plain)) on_red_(result_.plain);
    say("running it once more with the probe");
    if (!run_traced()) return std::move(result_);
    decide();
    if (result_.outcome == Reproduction::kRed)
      result_.failure = failure_shown_by(result_.plain, result_.evidence);
    say_result();
    return std::move(result_);
  }

 private:
  bool run_plain(CheckRun& run) {
    RunRequest request;
    request.check = &check_;
    run = executor_.run(request, cancel_);
    return usable(run);
  }

  bool run_traced() {
    Check traced = check_;
    if (result_.plain.verdict != Verdict::kTimedOut) traced.timeout *= kTracedTimeFactor;
    Result<TracedRun> run = suture::run_traced(traced, tree_, executor_, cancel_);
    if (!run) return infra(run.error().display());
    result_.traced = std::move(run->run);
    result_.evidence = std::move(run->evidence);
    if (!run->reason.empty()) result_.reason = std::move(run->reason);
    return usable(result_.traced);
  }

  void decide() {
    bool plain = red(result_.plain), traced = red(result_.traced);
    bool slowed =
        result_.traced.verdict == Verdict::kTimedOut && result_.plain.verdict != Verdict::kTimedOut;
    if (plain == traced && !slowed) {
      result_.outcome = plain ? Reproduction::kRed : Reproduction::kNotReproduced;
      if (!plain) result_.reason = "the check passed twice";
      return;
    }
    // Was it chance, or the trace? A second plain run tells.
    say("the two runs differ, running the check once more");
    CheckRun again;
    if (!run_plain(again)) return;
    if (red(again) != plain) {
      result_.outcome = Reproduction::kFlaky;
      result_.reason = "the check failed in one of two runs";
      return;
    }
    result_.outcome = plain ? Reproduction::kRed : Reproduction::kNotReproduced;
    result_.reason = plain ? fmt::format(
                                 "tracing the check changed its result ({}), so there is no "
                                 "evidence from inside it",
                                 to_string(result_.traced.verdict))
                           : "the check passed twice and failed only when traced";
    result_.evidence = Evidence();
  }

  bool usable(const CheckRun& run) {
    if (run.verdict == Verdict::kCancelled || cancel_.cancelled()) {
      result_.outcome = Reproduction::kCancelled;
      result_.reason = "cancelled";
      return false;
    }
    if (red(run) || green(run)) return true;
    return infra(run.reason.empty() ? "the check could not be run" : run.reason);
  }

  bool infra(std::string reason) {
    result_.outcome = Reproduction::kInfra;
    result_.reason = std::move(reason);
    return false;
  }

  void say(std::string message) { events_.emit({"reproduce", std::move(message), {}}); }

  void say_result() {
    static constexpr std::array<std::pair<Reproduction, std::string_view>, 3> kWords = {{
        {Reproduction::kRed, "reproduced"},
        {Reproduction::kNotReproduced, "not reproduced"},
        {Reproduction::kFlaky, "flaky"},
    }};
    Event event;
    event.stage = "reproduce";
    for (const auto& [outcome, word] : kWords) {
      if (outcome == result_.outcome) event.message = word;
    }
    if (result_.outcome == Reproduction::kRed) event.message += ": " + result_.failure.headline();
    event.data = {{"plain", to_string(result_.plain.verdict)},
                  {"traced", to_string(result_.traced.verdict)},
                  {"evidence", !result_.evidence.empty()},
                  {"kind", to_string(result_.failure.kind)},
                  {"reason", result_.reason}};
    events_.emit(event);
  }

  const Check& check_;
  const fs::path& tree_;
  Executor& executor_;
  EventSink& events_;
  const CancelToken& cancel_;
  const std::function<void(const CheckRun&)>& on_red_;
  Reproduced result_;
};

}  // namespace

Failure failure_shown_by(const CheckRun& run, const Evidence& evidence) {
  Failure failure = failure_of_output(run.output);
  const LiveException* live = evidence.failure();
  if (run.verdict == Verdict::kTimedOut) {
    failure.kind = FailureKind::kHang;
  } else if (failure.kind != FailureKind::kUnknown) {
    return failure;
  } else if (run.verdict == Verdict::kCrashed) {
    failure.kind = FailureKind::kSignal;
    if (failure.message.empty()) failure.message = run.reason;
  } else {
    failure.kind = live != nullptr ? kind_of(live->type) : FailureKind::kAssertion;
  }
  if (failure.type.empty() && live != nullptr) {
    failure.type = full_type(*live);
    if (failure.message.empty()) failure.message = live->message;
    if (failure.frames.empty()) failure.frames = printed_frames(*live);
  }
  return failure;
}

Reproduced reproduce(const Check& check, const fs::path& tree, Executor& executor,
                     EventSink& events, const CancelToken& cancel,
                     const std::function<void(const CheckRun&)>& on_red) {
  return Reproducer(check, tree, executor, events, cancel, on_red).run();
}

}  // namespace suture
