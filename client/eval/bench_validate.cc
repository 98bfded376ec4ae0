#include "client/eval/bench_validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "client/eval/task_machine.h"
#include "repair/ladder.h"
#include "repair/pipeline.h"
#include "repair/propose/propose.h"
#include "repair/syntax/source_tree.h"
#include "repair/validate/warm_session.h"

namespace suture {
namespace {

/// Keeps the ranked candidates of a job that validates none.
class CandidateStore final : public Store {
 public:
  void keep(const std::vector<Candidate>& ranked) override { candidates = ranked; }
  void keep(const Trial&) override {}
  void keep(const RepairResult&) override {}
  std::vector<Candidate> candidates;
};

bool tells(Verdict verdict) { return verdict == Verdict::kPassed || is_red(verdict); }

/// Measures one bug step by step.
class Bench {
 public:
  Bench(const RepairTask& task, const Knowledge& knowledge, const BenchOptions& options,
        TaskMachine& machine, const CancelToken& cancel)
      : task_(task), knowledge_(knowledge), options_(options), machine_(machine), cancel_(cancel) {}

  Result<BugFigures> run(const std::string& id) {
    figures_.id = id;
    TRY_STATUS(choose_candidates());
    if (!figures_.left_out.empty()) return std::move(figures_);
    std::vector<std::string> modules = run_tier(Tier::kSplit, {});
    bool imports = std::find(modules.begin(), modules.end(), options_.module) != modules.end();
    if (!options_.module.empty() && !imports) {
      figures_.left_out = "its check does not import " + options_.module;
      return std::move(figures_);
    }
    run_base();
    run_tier(Tier::kPreload, modules);
    run_fresh();
    if (cancel_.cancelled()) return fail(ErrorKind::kCancelled, "interrupted");
    return std::move(figures_);
  }

 private:
  Status choose_candidates() {
    RepairRequest request = request_of(task_);
    request.budget = {std::nullopt, 0};
    NullSink events;
    CandidateStore store;
    SystemClock clock;
    Services services{cancel_,
                      events,
                      store,
                      clock,
                      machine_.executor(),
                      machine_.installed(),
                      knowledge_.patterns,
                      knowledge_.weights,
                      knowledge_.confidence.model};
    RepairResult result = repair(request, services);
    if (cancel_.cancelled()) return fail(ErrorKind::kCancelled, "interrupted");
    if (result.outcome != Outcome::kNoPatch && result.outcome != Outcome::kEnvironment) {
      figures_.left_out = fmt::format("{}{}{}", to_string(result.outcome),
                                      result.reason.empty() ? "" : ": ", result.reason);
      return {};
    }
    check_ = *result.check;
    TRY(tree_, SourceTree::open(task_.tree));
    for (Candidate& candidate : store.candidates) {
      if (candidates_.size() == options_.candidates) break;
      if (materialise(candidate, *tree_)) candidates_.push_back(std::move(candidate));
    }
    figures_.candidates = candidates_.size();
    if (candidates_.empty()) figures_.left_out = "no candidates";
    return {};
  }

  void run_base() {
    RunRequest request;
    request.check = &check_;
    figures_.base_seconds = machine_.executor().run(request, cancel_).use.wall_seconds;
  }

  /// Runs all candidates in a warm tier, as a search does: by a held process, and what that was
  /// held too late for by a session with its plan. Returns the modules that it may preload.
  std::vector<std::string> run_tier(Tier tier, const std::vector<std::string>& modules) {
    WarmPlan plan;
    plan.tier = tier;
    plan.modules = modules;
    plan.child_timeout = plan.start_timeout = check_.timeout;
    std::vector<WarmCandidate> candidates;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      candidates.push_back(warm_candidate(i, candidates_[i], *tree_));
    TierFigures& figures = figures_.tiers[tier];
    verdicts_[tier].assign(candidates_.size(), Verdict::kNotRun);
    std::set<std::size_t> open;
    for (const WarmCandidate& candidate : candidates) open.insert(candidate.index);
    auto tell = [&](const WarmAnswer& answer) {
      if (answer.kind == WarmAnswer::Kind::kTooLate) return;
      open.erase(answer.index);
      take(answer, tier, figures);
    };

    HeldProcess held(plan, check_, task_.tree, machine_.executor());
    WarmEnd end = held.serve(candidates, tell, cancel_);
    figures.session_seconds = end.seconds;
    if (!end.able) figures.unable = end.reason;
    if (tier != Tier::kSplit || open.empty() || held.calls_nothing()) return end.modules;
    std::erase_if(candidates, [&](const WarmCandidate& c) { return !open.contains(c.index); });
    plan.candidates = std::move(candidates);
    plan.stop = WarmPlan::Stop::kAtEnd;
    figures.held_too_late = plan.candidates.size();
    WarmEnd session =
        run_warm_session(plan, check_, task_.tree, machine_.executor(), tell, cancel_);
    figures.session_seconds += session.seconds;
    figures.unable = session.able ? "" : session.reason;
    return session.modules.size() > end.modules.size() ? session.modules : end.modules;
  }

  void take(const WarmAnswer& answer, Tier tier, TierFigures& figures) {
    if (answer.kind == WarmAnswer::Kind::kRefused) {
      ++figures.refusals[answer.reason];
      return;
    }
    verdicts_[tier][answer.index] = answer.verdict;
    ++figures.served;
    if (answer.kind == WarmAnswer::Kind::kUnreached) ++figures.unreached;
    if (answer.kind == WarmAnswer::Kind::kAlike) ++figures.alike;
    figures.seconds += answer.seconds;
    figures.cpu_seconds += answer.cpu_seconds;
  }

  void run_fresh() {
    std::size_t runs = 0;
    for (std::size_t i = 0; i < candidates_.size() && !cancel_.cancelled(); ++i) {
      RunRequest request;
      request.check = &check_;
      request.files = candidates_[i].files;
      CheckRun run = machine_.executor().run(request, cancel_);
      if (!tells(run.verdict)) continue;
      ++runs;
      figures_.fresh_seconds += run.use.wall_seconds;
      figures_.fresh_cpu_seconds += run.use.cpu_seconds;
      for (auto& [tier, figures] : figures_.tiers) compare(i, tier, figures, run.verdict);
    }
    if (runs == 0) return;
    figures_.fresh_seconds /= double(runs);
    figures_.fresh_cpu_seconds /= double(runs);
  }

  void compare(std::size_t index, Tier tier, TierFigures& figures, Verdict fresh) {
    Verdict warm = verdicts_[tier][index];
    if (warm == Verdict::kNotRun) return;
    bool equal = warm == fresh;
    bool accepted = warm == Verdict::kPassed || fresh == Verdict::kPassed;
    figures.equal += equal;
    figures.accepted += accepted;
    figures.equally_accepted += accepted && equal;
    if (equal) return;
    figures_.disagreements.push_back(
        {candidates_[index].id, candidates_[index].summary, tier, warm, fresh});
  }

  const RepairTask& task_;
  const Knowledge& knowledge_;
  const BenchOptions& options_;
  TaskMachine& machine_;
  const CancelToken& cancel_;
  Check check_;
  std::unique_ptr<SourceTree> tree_;
  std::vector<Candidate> candidates_;
  std::map<Tier, std::vector<Verdict>> verdicts_;
  BugFigures figures_;
};

}  // namespace

double BugFigures::ratio(Tier tier) const {
  auto found = tiers.find(tier);
  if (found == tiers.end()) return 0;
  std::size_t run = found->second.run();
  if (run == 0 || found->second.seconds <= 0) return 0;
  return fresh_seconds / (found->second.seconds / double(run));
}

double BugFigures::best_ratio() const {
  return std::max({1.0, ratio(Tier::kSplit), ratio(Tier::kPreload)});
}

Result<BugFigures> bench_bug(const std::string& id, const RepairTask& task,
                             const Knowledge& knowledge, const BenchOptions& options,
                             const CancelToken& cancel) {
  TRY(std::unique_ptr<TaskMachine> machine, TaskMachine::make(task, cancel));
  return Bench(task, knowledge, options, *machine, cancel).run(id);
}

}  // namespace suture
