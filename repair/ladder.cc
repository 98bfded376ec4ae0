#include "repair/ladder.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "repair/propose/propose.h"

namespace suture {
namespace {

/// Everything that running one candidate showed.
struct Climbed {
  Verdict verdict = Verdict::kNotRun;
  int runs = 0;
  double seconds = 0;
  CheckRun last;
};

/// Workers take candidates in rank order and run them; one committer (the caller's thread) looks at
/// the results in the same order.
class Ladder {
 public:
  Ladder(std::vector<Candidate>& candidates, const LadderInput& input, SourceTree& tree,
         Executor& executor, Regression& regression, Clock& clock, EventSink& events,
         const CancelToken& cancel)
      : candidates_(candidates),
        input_(input),
        tree_(tree),
        executor_(executor),
        regression_(regression),
        clock_(clock),
        events_(events),
        cancel_(cancel),
        results_(candidates.size()),
        started_(clock.now()) {}

  LadderOutcome run(const std::function<void(const Trial&)>& keep) {
    std::vector<std::thread> workers;
    for (int i = 0; i < std::max(1, input_.jobs); ++i) workers.emplace_back([this] { work(); });
    LadderOutcome outcome;
    int found = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (out_of_runs(outcome)) break;
      std::optional<Climbed> climbed = wait_for(i);
      if (!climbed) break;
      Regression::Found others;
      if (climbed->verdict == Verdict::kPassed) {
        // Here, in rank order, so that what it costs does not depend on chance.
        others = regression_.run(candidates_[i], left(outcome, *climbed), cancel_);
        climbed->runs += others.runs;
        climbed->seconds += others.seconds;
        climbed->verdict = others.verdict;
        if (others.verdict == Verdict::kCancelled) break;
      }
      if (climbed->verdict == Verdict::kPassed) outcome.regressions.push_back(others);
      commit(i, *climbed, others.reason, outcome, keep);
      bool plausible = climbed->verdict == Verdict::kPassed;
      if (plausible && candidates_[i].silencing == Silencing::kNo &&
          ++found >= input_.patches_wanted)
        break;
    }
    outcome.budget_used_up =
        found < input_.patches_wanted && outcome.trials.size() < candidates_.size();
    stop_.cancel();
    for (std::thread& worker : workers) worker.join();
    return outcome;
  }

 private:
  bool out_of_time() const {
    return input_.budget.time && clock_.now() - started_ >= *input_.budget.time;
  }
  bool out_of_runs(const LadderOutcome& outcome) const {
    return input_.budget.check_runs && outcome.check_runs >= *input_.budget.check_runs;
  }
  /// What a candidate that passed twice leaves of the budget.
  Budget left(const LadderOutcome& outcome, const Climbed& climbed) const {
    Budget left;
    if (input_.budget.time) {
      auto used = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now() - started_);
      left.time = *input_.budget.time - used;
    }
    if (input_.budget.check_runs)
      left.check_runs = *input_.budget.check_runs - outcome.check_runs - climbed.runs;
    return left;
  }
  bool over() const { return stop_.cancelled() || cancel_.cancelled() || out_of_time(); }

  void work() {
    while (true) {
      std::size_t index;
      {
        std::lock_guard lock(mutex_);
        if (next_ >= candidates_.size() || over()) break;
        index = next_++;
      }
      Climbed climbed = climb_one(candidates_[index]);
      std::lock_guard lock(mutex_);
      results_[index] = std::move(climbed);
      changed_.notify_all();
    }
    std::lock_guard lock(mutex_);
    ++finished_;
    changed_.notify_all();
  }

  Climbed climb_one(Candidate& candidate) {
    Climbed climbed;
    if (Status applied = materialise(candidate, tree_); !applied) {
      climbed.verdict = Verdict::kPatchRejected;
      climbed.last.reason = applied.error().message;
      return climbed;
    }
    climbed.verdict = run_once(candidate, climbed);
    if (climbed.verdict == Verdict::kInfraError && !over())
      climbed.verdict = run_once(candidate, climbed);
    if (climbed.verdict != Verdict::kPassed || over()) return climbed;
    Verdict again = run_once(candidate, climbed);
    bool flaky =
        again == Verdict::kFailed || again == Verdict::kCrashed || again == Verdict::kTimedOut;
    climbed.verdict = flaky ? Verdict::kFlaky : again;
    return climbed;
  }

  Verdict run_once(const Candidate& candidate, Climbed& climbed) {
    Check check = input_.check;
    check.timeout = input_.timeout;
    RunRequest request;
    request.check = &check;
    request.files = candidate.files;
    climbed.last = executor_.run(request, stop_or_cancel());
    climbed.runs += 1;
    climbed.seconds += climbed.last.use.wall_seconds;
    return climbed.last.verdict;
  }

  /// One flag stops the runs in flight, whoever wants them stopped.
  const CancelToken& stop_or_cancel() {
    if (cancel_.cancelled()) stop_.cancel();
    return stop_;
  }

  /// Waits for the result of a candidate; nothing when it will not come any more.
  std::optional<Climbed> wait_for(std::size_t index) {
    std::unique_lock lock(mutex_);
    auto ready = [&] {
      return results_[index].has_value() || finished_ == std::max(1, input_.jobs);
    };
    while (!ready()) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (cancel_.cancelled() || out_of_time()) stop_.cancel();
    }
    // What was stopped in the middle says nothing.
    bool said_something =
        results_[index].has_value() && results_[index]->verdict != Verdict::kCancelled;
    return said_something ? std::move(results_[index]) : std::nullopt;
  }

  void commit(std::size_t index, Climbed& climbed, const std::string& reason,
              LadderOutcome& outcome, const std::function<void(const Trial&)>& keep) {
    const Candidate& candidate = candidates_[index];
    Trial trial;
    trial.candidate = candidate.id;
    trial.pattern = candidate.pattern;
    trial.rewrite = candidate.rewrite;
    trial.file = candidate.location.file;
    trial.line = candidate.location.line;
    trial.summary = candidate.summary;
    trial.score = candidate.score;
    trial.silencing = candidate.silencing;
    trial.verdict = climbed.verdict;
    trial.seconds = climbed.seconds;
    if (trial.verdict != Verdict::kPassed) trial.reason = reason;
    outcome.check_runs += climbed.runs;
    outcome.check_seconds += climbed.seconds;
    if (climbed.verdict == Verdict::kPassed) {
      outcome.plausible.push_back(index);
      outcome.passes.push_back(std::move(climbed.last));
    }
    events_.emit({"validate",
                  fmt::format("{}/{} {}: {}", index + 1, candidates_.size(), candidate.summary,
                              to_string(trial.verdict)),
                  {{"candidate", candidate.id},
                   {"verdict", std::string(to_string(trial.verdict))},
                   {"index", index + 1},
                   {"total", candidates_.size()}}});
    keep(trial);
    outcome.trials.push_back(std::move(trial));
  }

  std::vector<Candidate>& candidates_;
  const LadderInput& input_;
  SourceTree& tree_;
  Executor& executor_;
  Regression& regression_;
  Clock& clock_;
  EventSink& events_;
  const CancelToken& cancel_;
  CancelToken stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<Climbed>> results_;
  std::size_t next_ = 0;
  int finished_ = 0;
  Clock::TimePoint started_;
};

}  // namespace

LadderOutcome climb(std::vector<Candidate>& candidates, const LadderInput& input, SourceTree& tree,
                    Executor& executor, Regression& regression, Clock& clock, EventSink& events,
                    const CancelToken& cancel, const std::function<void(const Trial&)>& keep) {
  return Ladder(candidates, input, tree, executor, regression, clock, events, cancel).run(keep);
}

}  // namespace suture
