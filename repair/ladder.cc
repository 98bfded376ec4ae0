#include "repair/ladder.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "repair/propose/propose.h"
#include "repair/report/report.h"

namespace suture {
namespace {

/// The first window is small: its answers come soon, and most patches are among the first.
constexpr std::size_t kFirstWindow = 32;
constexpr std::size_t kWindowGrowth = 4;
constexpr std::size_t kLargestWindow = 512;
/// So many windows are asked quickly before the first thorough answer is paid for: a thorough one
/// costs as much as a hundred quick ones.
constexpr int kQuickWindows = 2;
/// A warm process pays a base run before its first answer; for fewer candidates fresh runs do.
constexpr std::size_t kFewestForScreen = 3;
/// The first candidate is the right one more often than all others together: it is run afresh while
/// a warm process is on its way.
constexpr std::size_t kRunAtOnce = 1;

/// Everything that running one candidate showed.
struct Climbed {
  Verdict verdict = Verdict::kNotRun;
  Tier tier = Tier::kFresh;
  std::string reason;
  std::string tier_reason;
  std::map<Tier, int> runs;
  double seconds = 0;  ///< of all its runs
  double fresh_seconds = 0;
  Origin origin = Origin::kRun;  ///< of the verdict on the check
  int cached_runs = 0;
  std::optional<Refutation::Rule> rejected_by;
  std::optional<ExceptionRecord> failure;
  CheckRun last;  ///< afresh
};

/// The last exception that a red run printed.
std::optional<ExceptionRecord> shown_by(const CheckRun& run) {
  Failure failure = failure_of_output(run.output);
  if (failure.type.empty()) return std::nullopt;
  return ExceptionRecord{failure.type, failure.message, failure.frames};
}

/// Without what differs from run to run: of the message the first line, addresses masked, also
/// those that pytest cut: `<funct...7f837fd26de0>`.
ExceptionRecord repeatable(ExceptionRecord failure) {
  static const RE2 address("0x[0-9a-fA-F]{5,}|\\.\\.\\.[0-9a-fA-F]{5,}");
  failure.message = failure.message.substr(0, failure.message.find('\n'));
  RE2::GlobalReplace(&failure.message, address, "0x...");
  return failure;
}

/// One thread screens the candidates window by window, workers run afresh what is left, lowest rank
/// first, and one committer (the caller's thread) looks at the results stage by stage: what the
/// screen answers quickly before what it answers thoroughly, in rank order within a stage.
class Ladder {
 public:
  Ladder(std::vector<Candidate>& candidates, const LadderInput& input, SourceTree& tree,
         Executor& executor, Clock& clock, EventSink& events, const CancelToken& cancel)
      : candidates_(candidates),
        input_(input),
        tree_(tree),
        executor_(executor),
        clock_(clock),
        events_(events),
        cancel_(cancel),
        climbed_(candidates.size()),
        done_(candidates.size(), false),
        started_(clock.now()),
        screen_seconds_before_(screen_seconds()),
        looked_at_(candidates.size(), false),
        rivals_(input.rivals, clock) {}

  LadderOutcome run(const std::function<void(const Trial&)>& keep) {
    LadderOutcome outcome;
    std::vector<std::thread> threads;
    // A budget of no runs wants the ranking alone: no warm process is started to be killed.
    if (!out_of_runs(outcome)) replay();
    for (std::size_t n = 0; n < candidates_.size(); ++n) {
      if (out_of_runs(outcome)) break;
      if (threads.empty() && n == order_.size()) {
        // An earlier job ended here, with these patches; the clock may have had a part in that.
        if (rivals_.begun() && patches(outcome) >= input_.patches_wanted) break;
        start(threads);
      }
      std::optional<std::size_t> next = wait_for_nth(n);
      if (!next) break;
      std::size_t i = *next;
      // Here, not where it ends: how far workers get ahead of the search is chance.
      remember(i);
      if (climbed_[i].verdict == Verdict::kPassed && !breaks_nothing(i, outcome)) break;
      commit(i, climbed_[i], outcome, keep);
      if (has_enough_patches(i, outcome)) break;
      committed(n + 1);
      if (input_.is_enough && input_.is_enough(outcome)) break;
    }
    outcome.budget_used_up =
        patches(outcome) < input_.patches_wanted && outcome.trials.size() < candidates_.size();
    stop_.cancel();
    for (std::thread& thread : threads) thread.join();
    remember_order(outcome);
    outcome.check_seconds += screen_seconds() - screen_seconds_before_;
    return outcome;
  }

 private:
  bool out_of_time() const {
    return input_.budget.time && clock_.now() - started_ >= *input_.budget.time;
  }
  bool out_of_runs(const LadderOutcome& outcome) const {
    return input_.budget.check_runs && outcome.check_runs() >= *input_.budget.check_runs;
  }
  /// What a candidate that passed leaves of the budget.
  Budget left(const LadderOutcome& outcome, const Climbed& climbed) const {
    Budget left;
    if (input_.budget.time) {
      auto used = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now() - started_);
      left.time = *input_.budget.time - used;
    }
    if (input_.budget.check_runs) {
      left.check_runs = *input_.budget.check_runs - outcome.check_runs();
      for (auto [tier, runs] : climbed.runs) *left.check_runs -= runs;
    }
    return left;
  }

  bool is_shown(std::size_t index, Standing::OtherTests other_tests,
                const LadderOutcome& outcome) const {
    const Candidate& candidate = candidates_[index];
    if (!input_.shown) return candidate.silencing == Silencing::kNo;
    return input_.shown(candidate, standing_of(index, other_tests, outcome.plausible, candidates_));
  }

  /// Plausible candidates that would be shown, as far as their rivals are known.
  int patches(const LadderOutcome& outcome) const {
    int count = 0;
    for (std::size_t i = 0; i < outcome.plausible.size(); ++i)
      count += is_shown(outcome.plausible[i], other_tests(outcome.regressions[i]), outcome);
    return count;
  }

  /// Asked when a candidate was looked at: whether nothing more need be.
  bool has_enough_patches(std::size_t index, const LadderOutcome& outcome) {
    const Climbed& climbed = climbed_[index];
    looked_at_[index] = true;
    while (best_left_ < candidates_.size() && looked_at_[best_left_]) ++best_left_;
    rivals_.count(climbed.verdict, climbed.tier);
    if (!rivals_.begun()) {
      if (climbed.verdict != Verdict::kPassed || patches(outcome) < input_.patches_wanted)
        return false;
      rivals_.begin(candidates_[index].score);
    }
    // What silences is no rival, and comes last.
    bool rivals_left =
        best_left_ < candidates_.size() && candidates_[best_left_].silencing == Silencing::kNo;
    if (rivals_left && !rivals_.is_over(candidates_[best_left_].score)) return false;
    if (patches(outcome) >= input_.patches_wanted) return true;
    rivals_.give_up();
    return false;
  }

  /// Reruns other tests for a candidate that passed, which may cost it its verdict. Done by the
  /// committer, in rank order, so that what it costs does not depend on chance. False: cancelled.
  bool breaks_nothing(std::size_t index, LadderOutcome& outcome) {
    // Where it is withheld whatever other tests say, they need not be asked.
    if (input_.regression == nullptr || !is_shown(index, Standing::OtherTests::kGreen, outcome)) {
      outcome.regressions.emplace_back();
      return true;
    }
    Climbed& climbed = climbed_[index];
    Regression::Found others =
        input_.regression->run(candidates_[index], left(outcome, climbed), cancel_);
    climbed.runs[Tier::kFresh] += others.runs;
    climbed.cached_runs += others.cached_runs;
    climbed.seconds += others.seconds;
    climbed.fresh_seconds += others.seconds;
    climbed.verdict = others.verdict;
    if (others.verdict == Verdict::kCancelled) return false;
    if (others.verdict == Verdict::kPassed) {
      outcome.regressions.push_back(std::move(others));
    } else {
      climbed.reason = std::move(others.reason);
    }
    return true;
  }

  double screen_seconds() const {
    return input_.screen != nullptr ? input_.screen->cost().wall_seconds : 0;
  }

  bool over() const { return stop_.cancelled() || cancel_.cancelled() || out_of_time(); }

  /// Starts to run the candidates that no earlier job has settled.
  void start(std::vector<std::thread>& threads) {
    int workers = std::max(1, input_.jobs);
    running_ = workers + 1;
    threads.emplace_back([this] { screen(); });
    for (int i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
  }

  // -- screening -----------------------------------------------------------------------------

  void screen() {
    if (input_.screen != nullptr && rest_.size() >= kFewestForScreen) {
      screen_windows();
    } else {
      run_afresh(0, rest_.size());
    }
    std::lock_guard lock(mutex_);
    screened_ = true;
    leave();
  }

  void screen_windows() {
    input_.screen->forget();
    auto tell = [this](const Screened& screened) { take(screened); };
    std::size_t begin = 0;
    input_.screen->start();
    if (!input_.screen->is_warm(stop_)) {
      begin = std::min(kRunAtOnce, rest_.size());
      for (std::size_t i = 0; i < begin; ++i)
        climbed_[rest_[i]].tier_reason = "the first one is run while the warm process starts";
      run_afresh(0, begin);
    }
    std::vector<WarmCandidate> left, hanging;
    int windows = 0;
    for (std::size_t size = kFirstWindow; begin < rest_.size() && !over();
         size = std::min(size * kWindowGrowth, kLargestWindow)) {
      std::size_t end = std::min(rest_.size(), begin + size);
      std::set<std::size_t> quick(rest_.begin() + std::ptrdiff_t(begin),
                                  rest_.begin() + std::ptrdiff_t(end));
      for (WarmCandidate& each : input_.screen->quick(window(begin, end), tell, stop_)) {
        quick.erase(each.index);
        (input_.screen->hangs(each.index) ? hanging : left).push_back(std::move(each));
      }
      next_stage(quick);
      wait_until_committed();
      begin = end;
      if (++windows < kQuickWindows && end < rest_.size()) continue;
      answer_thoroughly(std::exchange(left, {}), tell);
    }
    answer_thoroughly(std::move(hanging), tell);
  }

  void answer_thoroughly(std::vector<WarmCandidate> candidates,
                         const std::function<void(const Screened&)>& tell) {
    std::set<std::size_t> thorough;
    for (const WarmCandidate& each : candidates) thorough.insert(each.index);
    next_stage(thorough);
    if (!over()) input_.screen->thorough(std::move(candidates), tell, stop_);
    wait_until_committed();
  }

  /// `begin` and `end`: in `rest_`, as for all windows.
  void run_afresh(std::size_t begin, std::size_t end) {
    std::lock_guard lock(mutex_);
    for (std::size_t i = begin; i < end; ++i) {
      to_run_.insert(rest_[i]);
      order_.push_back(rest_[i]);
    }
    changed_.notify_all();
  }

  /// These are looked at next.
  void next_stage(const std::set<std::size_t>& stage) {
    std::lock_guard lock(mutex_);
    order_.insert(order_.end(), stage.begin(), stage.end());
    changed_.notify_all();
  }

  /// A patch in this stage makes the next one superfluous.
  void wait_until_committed() {
    std::unique_lock lock(mutex_);
    while (!over() && committed_ < order_.size())
      changed_.wait_for(lock, std::chrono::milliseconds(100));
  }

  /// The candidates of a window that must be run; the others are done.
  std::vector<WarmCandidate> window(std::size_t begin, std::size_t end) {
    std::vector<WarmCandidate> candidates;
    for (std::size_t n = begin; n < end && !over(); ++n) {
      std::size_t i = rest_[n];
      if (!prepare(i)) continue;
      candidates.push_back(warm_candidate(i, candidates_[i], tree_));
    }
    return candidates;
  }

  /// Fills the files of a candidate. Whether it must be run; if not, it is done: it does not apply,
  /// its verdict is known, or it cannot be right.
  bool prepare(std::size_t index) {
    Candidate& candidate = candidates_[index];
    if (Result<ParsedFiles> applied = materialise(candidate, tree_); !applied) {
      bool parsed = applied.error().kind != ErrorKind::kBadInput;
      reject(index, {parsed ? Refutation::Rule::kEdit : Refutation::Rule::kParse,
                     applied.error().message});
    } else if (!recall(index)) {
      std::optional<Refutation> refutation;
      if (input_.refuter != nullptr)
        refutation = input_.refuter->refute(candidate.edits, std::move(*applied));
      if (!refutation) return true;
      reject(index, *refutation);
    }
    finish(index);
    return false;
  }

  void reject(std::size_t index, const Refutation& refutation) {
    climbed_[index].verdict = Verdict::kPatchRejected;
    climbed_[index].reason = refutation.reason;
    climbed_[index].rejected_by = refutation.rule;
  }

  // -- memory ----------------------------------------------------------------------------------

  /// Puts first what an earlier job looked at, in its order, as far as its verdicts are known.
  /// Which candidates a screen answers quickly is not known before it runs; this job is to end
  /// where that one did, without a run.
  void replay() {
    std::set<std::size_t> known;
    for (std::size_t i : looked_at_before()) {
      if (over()) break;
      if (!prepare(i)) {
        order_.push_back(i);
        known.insert(i);
      }
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!known.contains(i)) rest_.push_back(i);
    }
  }

  std::vector<std::size_t> looked_at_before() const {
    if (input_.known == nullptr) return {};
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < candidates_.size(); ++i) index.emplace(candidates_[i].id, i);
    std::vector<std::size_t> order;
    for (const std::string& id : input_.known->order()) {
      auto found = index.find(id);
      if (found == index.end()) continue;
      order.push_back(found->second);
      index.erase(found);
    }
    return order;
  }

  void remember_order(const LadderOutcome& outcome) {
    if (input_.known == nullptr) return;
    std::vector<std::string> order;
    for (const Trial& trial : outcome.trials) order.push_back(trial.candidate);
    input_.known->keep_order(order);
  }

  /// Whether an earlier job knows the verdict.
  bool recall(std::size_t index) {
    if (input_.known == nullptr) return false;
    auto known = input_.known->find(candidates_[index].files, input_.timeout);
    if (!known) return false;
    Climbed& climbed = climbed_[index];
    climbed.verdict = known->run.verdict;
    climbed.tier = known->tier;
    climbed.reason = std::move(known->run.reason);
    climbed.tier_reason = std::move(known->tier_reason);
    climbed.seconds = known->seconds;
    climbed.cached_runs = known->runs;
    climbed.failure = std::move(known->failure);
    climbed.origin = climbed.last.origin = Origin::kCache;
    climbed.last.verdict = climbed.verdict;
    climbed.last.use = known->run.use;
    return true;
  }

  void remember(std::size_t index) {
    const Climbed& climbed = climbed_[index];
    if (input_.known == nullptr || climbed.origin == Origin::kCache) return;
    KnownVerdict verdict{climbed.last, climbed.tier, climbed.tier_reason, 0, climbed.seconds};
    verdict.run.verdict = climbed.verdict;
    verdict.run.reason = climbed.reason;
    for (auto [tier, runs] : climbed.runs) verdict.runs += runs;
    verdict.failure = climbed.failure;
    input_.known->keep(candidates_[index].files, verdict, input_.timeout);
  }

  void take(const Screened& screened) {
    Climbed& climbed = climbed_[screened.index];
    climbed.tier = screened.tier;
    climbed.verdict = screened.verdict;
    climbed.seconds = screened.seconds;
    climbed.failure = screened.failure;
    if (screened.runs > 0) climbed.runs[screened.tier] = screened.runs;
    (screened.tier == Tier::kFresh ? climbed.tier_reason : climbed.reason) = screened.reason;
    bool settled = screened.tier != Tier::kFresh && screened.verdict != Verdict::kPassed;
    settled ? finish(screened.index) : to_run(screened.index);
  }

  // -- fresh runs ------------------------------------------------------------------------------

  void to_run(std::size_t index) {
    std::lock_guard lock(mutex_);
    to_run_.insert(index);
    changed_.notify_all();
  }

  void work() {
    while (std::optional<std::size_t> index = next_to_run()) {
      if (candidates_[*index].files.empty() && !prepare(*index)) continue;
      climb_one(candidates_[*index], climbed_[*index]);
      finish(*index);
    }
    std::lock_guard lock(mutex_);
    leave();
  }

  std::optional<std::size_t> next_to_run() {
    std::unique_lock lock(mutex_);
    while (!over()) {
      if (!to_run_.empty()) return to_run_.extract(to_run_.begin()).value();
      if (screened_) break;
      changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
    return std::nullopt;
  }

  void climb_one(const Candidate& candidate, Climbed& climbed) {
    bool passed_before = climbed.verdict == Verdict::kPassed;
    climbed.verdict = run_once(candidate, climbed);
    if (climbed.verdict == Verdict::kInfraError && !over())
      climbed.verdict = run_once(candidate, climbed);
    if (passed_before) {
      if (climbed.verdict == Verdict::kPassed) return;
      climbed.reason =
          fmt::format("passed in the tier {}, but not afresh", to_string(climbed.tier));
    }
    climbed.tier = Tier::kFresh;
    if (climbed.verdict != Verdict::kPassed || over()) return;
    Verdict again = run_once(candidate, climbed);
    climbed.verdict = is_red(again) ? Verdict::kFlaky : again;
  }

  Verdict run_once(const Candidate& candidate, Climbed& climbed) {
    Check check = input_.check;
    check.timeout = input_.timeout;
    RunRequest request;
    request.check = &check;
    request.files = candidate.files;
    climbed.last = executor_.run(request, stop_or_cancel());
    climbed.runs[Tier::kFresh] += 1;
    climbed.seconds += climbed.last.use.wall_seconds;
    climbed.fresh_seconds += climbed.last.use.wall_seconds;
    climbed.failure.reset();
    if (is_red(climbed.last.verdict)) climbed.failure = shown_by(climbed.last);
    return climbed.last.verdict;
  }

  // -- between the threads ---------------------------------------------------------------------

  /// One flag stops the runs in flight, whoever wants them stopped.
  const CancelToken& stop_or_cancel() {
    if (cancel_.cancelled()) stop_.cancel();
    return stop_;
  }

  void finish(std::size_t index) {
    std::lock_guard lock(mutex_);
    done_[index] = true;
    changed_.notify_all();
  }

  void committed(std::size_t count) {
    std::lock_guard lock(mutex_);
    committed_ = count;
    changed_.notify_all();
  }

  /// A thread has no more to do. The mutex is held.
  void leave() {
    --running_;
    changed_.notify_all();
  }

  /// Waits for the result of the nth candidate to be looked at; none when it will not come any
  /// more.
  std::optional<std::size_t> wait_for_nth(std::size_t n) {
    std::unique_lock lock(mutex_);
    auto is_done = [&] { return n < order_.size() && done_[order_[n]]; };
    while (!is_done() && running_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (cancel_.cancelled() || out_of_time()) stop_.cancel();
    }
    // What was stopped in the middle says nothing.
    if (!is_done() || climbed_[order_[n]].verdict == Verdict::kCancelled) return std::nullopt;
    return order_[n];
  }

  void commit(std::size_t index, Climbed& climbed, LadderOutcome& outcome,
              const std::function<void(const Trial&)>& keep) {
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
    trial.reason = climbed.reason;
    trial.tier = climbed.tier;
    trial.tier_reason = climbed.tier_reason;
    trial.seconds = climbed.seconds;
    trial.origin = climbed.origin;
    trial.rejected_by = climbed.rejected_by;
    if (climbed.failure) trial.failure = repeatable(*climbed.failure);
    outcome.cached_runs += climbed.cached_runs;
    for (auto [tier, runs] : climbed.runs) outcome.runs[tier] += runs;
    outcome.check_seconds += climbed.fresh_seconds;
    outcome.fresh_seconds += climbed.fresh_seconds;
    if (climbed.verdict == Verdict::kPassed) {
      outcome.plausible.push_back(index);
      outcome.passes.push_back(std::move(climbed.last));
    }
    events_.emit({"validate",
                  fmt::format("{}/{} {}: {}", index + 1, candidates_.size(), candidate.summary,
                              to_string(trial.verdict)),
                  {{"candidate", candidate.id},
                   {"verdict", std::string(to_string(trial.verdict))},
                   {"tier", std::string(to_string(trial.tier))},
                   {"index", index + 1},
                   {"total", candidates_.size()}}});
    keep(trial);
    outcome.trials.push_back(std::move(trial));
  }

  std::vector<Candidate>& candidates_;
  const LadderInput& input_;
  SourceTree& tree_;
  Executor& executor_;
  Clock& clock_;
  EventSink& events_;
  const CancelToken& cancel_;
  CancelToken stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Climbed> climbed_;    ///< each written by the thread that has the candidate
  std::vector<bool> done_;          ///< guarded, as all below
  std::set<std::size_t> to_run_;    ///< wait for a fresh run
  std::vector<std::size_t> rest_;   ///< not known from an earlier job; written before the threads
  std::vector<std::size_t> order_;  ///< in which candidates are looked at, as far as it is known
  std::size_t committed_ = 0;       ///< of these
  bool screened_ = false;           ///< no more will be screened
  int running_ = 0;                 ///< threads at work
  Clock::TimePoint started_;
  double screen_seconds_before_;  ///< what the screen has cost others
  // The committer's.
  std::vector<bool> looked_at_;
  std::size_t best_left_ = 0;  ///< of those not looked at
  RivalSearch rivals_;
};

}  // namespace

Standing::OtherTests other_tests(const Regression::Found& found) {
  bool green = std::ranges::any_of(
      found.rerun, [](const Rerun& run) { return run.verdict == Verdict::kPassed; });
  return green ? Standing::OtherTests::kGreen : Standing::OtherTests::kNotRerun;
}

Standing standing_of(std::size_t index, Standing::OtherTests other_tests,
                     const std::vector<std::size_t>& plausible,
                     const std::vector<Candidate>& candidates) {
  Standing standing;
  standing.rank = int(index) + 1;
  standing.other_tests = other_tests;
  double all = 1;
  for (std::size_t other : plausible) {
    if (other == index || !is_serious(candidates[other])) continue;
    ++standing.rivals;
    all += std::exp(candidates[other].score - candidates[index].score);
  }
  standing.share = 1 / all;
  return standing;
}

WarmCandidate warm_candidate(std::size_t index, const Candidate& candidate, SourceTree& tree) {
  WarmCandidate warm{index, {}};
  for (const auto& [path, content] : candidate.files) {
    auto edits = candidate.edits.find(path);
    bool one_place = edits != candidate.edits.end() && edits->second.size() == 1;
    std::string_view base = tree.bytes(path);
    warm.files[path] =
        one_place ? std::vector{splice_between(base, content)} : splices_between(base, content);
  }
  return warm;
}

std::int64_t LadderOutcome::check_runs() const {
  std::int64_t all = 0;
  for (auto [tier, made] : runs) all += made;
  return all;
}

LadderOutcome climb(std::vector<Candidate>& candidates, const LadderInput& input, SourceTree& tree,
                    Executor& executor, Clock& clock, EventSink& events, const CancelToken& cancel,
                    const std::function<void(const Trial&)>& keep) {
  return Ladder(candidates, input, tree, executor, clock, events, cancel).run(keep);
}

}  // namespace suture
