#include "repair/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "repair/base/file.h"
#include "repair/combine.h"
#include "repair/confidence.h"
#include "repair/environment.h"
#include "repair/ladder.h"
#include "repair/locate/locate.h"
#include "repair/meter.h"
#include "repair/progress.h"
#include "repair/proposals.h"
#include "repair/propose/propose.h"
#include "repair/propose/twins.h"
#include "repair/rank/naturalness.h"
#include "repair/regression.h"
#include "repair/reproduce/traced_run.h"
#include "repair/switched.h"
#include "repair/validate/counting_executor.h"
#include "repair/validate/edited_executor.h"

namespace suture {
namespace {

constexpr std::size_t kLocationsKept = 50;
constexpr std::size_t kCheckTextBytes = 200'000;
/// Forcing conditions may take this part of the time of a search.
constexpr int kShareForSwitching = 5;
/// Where a candidate made progress, the search for a second edit gets what is left after this part
/// of the budget.
constexpr double kShareOfOneEdit = 0.6;
/// So many candidates that made progress are gone on from. Each costs a traced run.
constexpr std::size_t kMostGoneOnFrom = 2;
/// Of each of them, so many second edits are tried.
constexpr std::size_t kMostSecondEdits = 400;
/// With a patch in hand the search goes on among candidates that ranking holds at least a twentieth
/// as likely: an answer of a warm process costs about a hundredth of a fresh run, a rival that
/// passes costs one.
constexpr RivalBounds kRivals{64, 4, 3.0, std::chrono::seconds(8)};
/// So many ways of making the first edit at its twins, too, are tried before all other second
/// edits.
constexpr std::size_t kMostTwinEdits = 4;

/// What the check's own files say, joined. It is evidence like any test's.
std::string check_text(const Evidence& evidence) {
  std::string text;
  for (const std::string& path : evidence.check_files) {
    auto content = read_file(path, kCheckTextBytes);
    if (content && text.size() + content->size() <= kCheckTextBytes) text += *content + "\n";
  }
  return text;
}

/// What the catalogue's patterns know about libraries; null when they ask for nothing.
const Facts* facts_of(const Catalogue& catalogue) {
  for (const Pattern& pattern : catalogue.patterns()) {
    if (pattern.facts) return pattern.facts.get();
  }
  return nullptr;
}

/// Whether what a pattern finds is wrong wherever it stands, so that a patch repairs all of it: the
/// code alone shows it, or a fact about a library does.
bool is_wrong_everywhere(const Pattern* pattern) {
  return pattern != nullptr && (pattern->scan || pattern->facts);
}

/// Leaves the patterns of the baseline that only silences.
Catalogue only_silencing(const Catalogue& all) {
  std::vector<Pattern> kept;
  for (const Pattern& pattern : all.patterns()) {
    if (pattern.silencing && *pattern.silencing != Silencing::kNo) kept.push_back(pattern);
  }
  return Catalogue::of(std::move(kept));
}

/// What a search has left of its budget.
Budget remaining(Budget budget, double seconds, std::int64_t check_runs) {
  using std::chrono::milliseconds;
  if (budget.time)
    *budget.time =
        std::max(milliseconds(0), *budget.time - milliseconds(std::int64_t(1000 * seconds)));
  if (budget.check_runs)
    *budget.check_runs = std::max<std::int64_t>(0, *budget.check_runs - check_runs);
  return budget;
}

bool is_spent(const Budget& budget) {
  return (budget.time && budget.time->count() <= 0) ||
         (budget.check_runs && *budget.check_runs <= 0);
}

/// Asks what forcing conditions would do, of the warm process or of what an earlier job was told,
/// and ranks again by it. What is left of the budget.
Budget switch_conditions(const RepairRequest& request, Services& services, SourceTree& tree,
                         WarmScreen& screen, std::optional<KnownVerdicts>& known,
                         std::vector<Candidate>& candidates, RepairResult& result) {
  double seconds = 0;
  Origin origin = Origin::kRun;
  Switched told = note_switched(candidates, tree, [&](SwitchPlan plan) {
    if (known) {
      if (auto report = known->switched(plan.conditions)) {
        origin = Origin::kCache;
        return std::move(*report);
      }
    }
    if (!screen.is_warm(services.cancel)) return SwitchReport();
    if (request.budget.time) plan.time_limit = *request.budget.time / kShareForSwitching;
    std::vector<ConditionPlace> conditions = plan.conditions;
    Meter switching(services.clock);
    SwitchReport report = screen.switch_predicates(std::move(plan), services.cancel);
    seconds = switching.seconds();
    if (known && report.able && !services.cancel.cancelled())
      known->keep_switched(conditions, report);
    return report;
  });
  if (told.green + told.red > 0) rank(candidates, services.weights);
  auto children = std::int64_t(told.children);
  if (children > 0) {
    services.events.emit(
        {"rank",
         fmt::format("the check passes when {} of {} conditions come out otherwise ({} "
                     "children, {:.1f} s)",
                     told.green, told.conditions, told.children, told.seconds),
         {}});
  }
  if (origin == Origin::kCache) {
    result.costs.cached_runs += children;
    return request.budget;
  }
  result.costs.check_runs += children;
  result.costs.check_seconds += seconds;
  result.tiers["split"] += children;
  return remaining(request.budget, seconds, children);
}

/// A failure, what is known of it, and the tree that shows it.
struct Situation {
  const Failure& failure;
  const Evidence& evidence;
  SourceTree& tree;
};

/// The search for a patch once the failure is reproduced.
class Search {
 public:
  Search(const SearchInput& input, RepairResult& result)
      : request_(input.request),
        services_(input.services),
        runs_(input.runs),
        base_(input.base),
        screen_(input.screen),
        tree_(input.tree),
        result_(result),
        check_text_(check_text(base_.evidence)),
        regression_({*result.check, request_.interpreter, base_.plain.use.wall_seconds, tree_,
                     runs_.executor(), services_.events}),
        refuter_(tree_, check_text_) {
    if (runs_.memory() != nullptr) known_.emplace(*runs_.memory(), *result.check, request_.tiers);
  }

  void run() {
    // Where an earlier job looked at candidates, a warm process may not be needed.
    if (screen_ != nullptr && (!known_ || known_->order().empty())) screen_->start();
    Situation situation{result_.failure, base_.evidence, tree_};
    SuspicionMap suspicion = suspicious_places(situation);
    result_.locations.assign(
        suspicion.locations().begin(),
        suspicion.locations().begin() +
            std::ptrdiff_t(std::min(kLocationsKept, suspicion.locations().size())));
    std::vector<Candidate> candidates = ranked_candidates(situation, suspicion);
    add_twins(candidates, tree_);
    rank(candidates, services_.weights);
    Budget left = request_.budget;
    if (screen_ != nullptr)
      left = switch_conditions(request_, services_, tree_, *screen_, known_, candidates, result_);
    result_.candidates = candidates.size();
    services_.store.keep(candidates);

    Meter one_edit(services_.clock);
    LadderOutcome ladder = validate(candidates, left, enough_of_one_edit(candidates, left));
    std::vector<Candidate> first_edits;
    for (const Progress& progress :
         progress_made(base_.evidence, candidates, ladder.trials, kMostGoneOnFrom))
      first_edits.push_back(candidates[progress.candidate]);
    present(candidates, ladder, request_, services_.confidence, tree_, result_);
    left = remaining(left, one_edit.seconds(), ladder.check_runs());
    if (!result_.proposals.empty()) offer_twins(candidates, left);
    for (Candidate& first : first_edits) {
      if (!result_.proposals.empty() || services_.cancel.cancelled() || is_spent(left)) break;
      left = go_on_from(std::move(first), left);
      if (known_ && !result_.proposals.empty()) known_->keep_one_edit(ladder.trials.size());
    }
    conclude(ladder);
  }

 private:
  void report(const char* stage, std::string message) {
    services_.events.emit({stage, std::move(message), {}});
  }

  SuspicionMap suspicious_places(const Situation& situation) {
    report("locate", "looking for suspicious places");
    return SuspicionMap(locate({situation.failure, situation.evidence,
                                request_.report ? &*request_.report : nullptr, situation.tree}));
  }

  std::vector<Candidate> ranked_candidates(const Situation& situation,
                                           const SuspicionMap& suspicion) {
    report("propose", fmt::format("matching patterns at {} places", suspicion.locations().size()));
    ProposeInput input{situation.failure,   situation.evidence, situation.tree,
                       services_.installed, suspicion,          check_text_};
    bool baseline = request_.search == RepairRequest::Search::kOnlySilencing;
    std::vector<Candidate> candidates = baseline
                                            ? propose(input, only_silencing(services_.patterns))
                                            : propose(input, services_.patterns);
    report("rank", fmt::format("{} candidates", candidates.size()));
    note_naturalness(candidates, situation.tree);
    rank(candidates, services_.weights);
    return candidates;
  }

  /// Where a patch was found, tries the same at its twins: a rival, shown first where what is wrong
  /// is wrong everywhere.
  void offer_twins(const std::vector<Candidate>& candidates, const Budget& left) {
    const Proposal& found = result_.proposals.front();
    // What cannot be imported here cannot be imported elsewhere.
    std::vector<Candidate> twins;
    if (result_.failure.kind == FailureKind::kImport) twins = widen_imports(found.candidate, tree_);
    bool everywhere =
        !twins.empty() || is_wrong_everywhere(services_.patterns.find(found.candidate.pattern));
    if (everywhere && twins.empty()) twins = at_all_places(found.candidate, candidates);
    if (twins.empty()) twins = widen(found.candidate, tree_, Reach::kFile, 1);
    if (twins.empty() || is_spent(left) || services_.cancel.cancelled()) return;
    std::string first = everywhere ? twins.front().id : found.candidate.id;
    auto ahead = std::size_t(found.rank);
    LadderOutcome ladder = validate(twins, left, nullptr);
    present(twins, ladder, request_, services_.confidence, tree_, result_, ahead, first);
  }

  /// The candidate that repairs all that the pattern of `single` finds; one at most.
  std::vector<Candidate> at_all_places(const Candidate& single,
                                       const std::vector<Candidate>& candidates) {
    if (services_.patterns.find(single.pattern)->scan) {
      auto found = widen_by_findings(single, tree_, StaticPatterns(services_.patterns));
      if (!found.empty()) return found;
    }
    const Candidate* widest = widest_of(single, candidates);
    return widest == nullptr ? std::vector<Candidate>{} : std::vector{*widest};
  }

  LadderOutcome validate(std::vector<Candidate>& candidates, const Budget& budget,
                         std::function<bool(const LadderOutcome&)> is_enough) {
    report("validate", fmt::format("{} candidates", candidates.size()));
    TimeLimits limits = screen_ != nullptr ? screen_->limits(services_.cancel)
                                           : time_limits(*result_.check, base_.plain);
    if (known_ && base_.plain.origin == Origin::kCache)
      limits.fresh = known_->limit().value_or(limits.fresh);
    if (known_) known_->keep_limit(limits.fresh);
    LadderInput steps{*result_.check, limits.fresh, budget, request_.jobs, request_.patches_wanted};
    steps.rivals = kRivals;
    steps.screen = screen_;
    steps.refuter = &refuter_;
    steps.known = known_ ? &*known_ : nullptr;
    steps.regression = &regression_;
    steps.shown = [&](const Candidate& candidate, const Standing& standing) {
      return is_trusted(
          candidate, judge_confidence(candidate, standing, services_.confidence).value, request_);
    };
    steps.is_enough = std::move(is_enough);
    LadderOutcome ladder =
        climb(candidates, steps, tree_, services_.executor, services_.clock, services_.events,
              services_.cancel, [&](const Trial& trial) { services_.store.keep(trial); });
    account(ladder);
    return ladder;
  }

  void account(const LadderOutcome& ladder) {
    if (result_.plausible == 0 && !ladder.plausible.empty())
      result_.rank_first_plausible = int(result_.trials.size() + ladder.plausible.front()) + 1;
    result_.trials.insert(result_.trials.end(), ladder.trials.begin(), ladder.trials.end());
    result_.plausible += ladder.plausible.size();
    result_.costs.check_runs += ladder.check_runs();
    result_.costs.check_seconds += ladder.check_seconds;
    result_.costs.fresh_seconds += ladder.fresh_seconds;
    result_.costs.cached_runs += ladder.cached_runs;
    for (auto [tier, runs] : ladder.runs) result_.tiers[std::string(to_string(tier))] += runs;
  }

  /// Ends the search for one edit while there is time for a second one, where one would help.
  std::function<bool(const LadderOutcome&)> enough_of_one_edit(
      const std::vector<Candidate>& candidates, const Budget& budget) {
    Clock::TimePoint start = services_.clock.now();
    std::size_t enough_before = known_ ? known_->one_edit() : 0;
    std::size_t looked_at = 0;  // whether a trial is progress does not depend on others
    return [=, this, &candidates](const LadderOutcome& so_far) mutable {
      if (enough_before > 0) return so_far.trials.size() >= enough_before;
      std::chrono::duration<double, std::milli> used = services_.clock.now() - start;
      bool late = (budget.time && used.count() > kShareOfOneEdit * double(budget.time->count())) ||
                  (budget.check_runs &&
                   double(so_far.check_runs()) > kShareOfOneEdit * double(*budget.check_runs));
      if (!late) return false;
      std::span<const Trial> others = std::span(so_far.trials).subspan(looked_at);
      looked_at = so_far.trials.size();
      return !progress_made(base_.evidence, candidates, others, 1).empty();
    };
  }

  /// Looks for the edit that is still missing after `first`. What is left of the budget.
  Budget go_on_from(Candidate first, const Budget& budget) {
    Meter meter(services_.clock);
    std::int64_t runs_before = result_.costs.check_runs;
    auto left = [&] {
      return remaining(budget, meter.seconds(), result_.costs.check_runs - runs_before);
    };
    report("reproduce",
           "the check gets further with this edit, looking for another one: " + first.summary);
    if (!materialise(first, tree_)) return left();
    CountingExecutor counted(runs_.executor());
    EditedExecutor executor(counted, first.files);
    Result<TracedRun> traced =
        run_traced(*result_.check, request_.tree, executor, services_.cancel);
    RunTotals cost = counted.totals();
    result_.costs.check_runs += std::int64_t(cost.runs);
    result_.costs.cached_runs += std::int64_t(cost.cached);
    result_.costs.check_seconds += cost.wall_seconds;
    result_.costs.fresh_seconds += cost.wall_seconds;
    result_.tiers["fresh"] += std::int64_t(cost.runs);
    if (!traced || !is_red(traced->run.verdict)) return left();

    Failure failure = failure_shown_by(traced->run, traced->evidence);
    std::unique_ptr<SourceTree> edited = tree_.edited(first.files);
    Situation situation{failure, traced->evidence, *edited};
    std::vector<Candidate> candidates = widen(first, tree_, Reach::kFile, kMostTwinEdits);
    for (Candidate& both : second_edits(first, situation)) candidates.push_back(std::move(both));
    result_.candidates += candidates.size();
    LadderOutcome ladder = validate(candidates, left(), nullptr);
    present(candidates, ladder, request_, services_.confidence, tree_, result_);
    return left();
  }

  /// The best candidates that add an edit to `first`, best first.
  std::vector<Candidate> second_edits(const Candidate& first, const Situation& situation) {
    std::vector<Candidate> found = ranked_candidates(situation, suspicious_places(situation));
    for (Candidate& second : found) {
      bool same = second.pattern == first.pattern && second.rewrite == first.rewrite;
      second.features["same_pattern"] = same ? 1 : 0;
    }
    rank(found, services_.weights);
    if (found.size() > kMostSecondEdits) found.resize(kMostSecondEdits);
    std::vector<Candidate> combined;
    for (Candidate& second : found) {
      if (auto both = combine(first, std::move(second), tree_, situation.tree))
        combined.push_back(std::move(*both));
    }
    return combined;
  }

  void conclude(const LadderOutcome& one_edit) {
    report("present", fmt::format("{} of {} candidates tried make the check pass",
                                  result_.plausible, result_.trials.size()));
    if (services_.cancel.cancelled()) {
      result_.outcome = Outcome::kCancelled;
      result_.reason = "interrupted";
    } else if (!result_.proposals.empty()) {
      result_.outcome = Outcome::kPatched;
    } else if (result_.outcome != Outcome::kInfraError) {
      result_.outcome = Outcome::kNoPatch;
      explain_absence(one_edit, result_);
      consider_environment();
    }
  }

  /// Says what to install or pin where no patch can help.
  void consider_environment() {
    auto advice = advise_environment({result_.failure, base_.evidence, tree_, services_.installed,
                                      facts_of(services_.patterns)});
    if (!advice) return;
    result_.outcome = Outcome::kEnvironment;
    result_.advice = std::move(advice->advice);
    result_.reason = std::move(advice->reason);
  }

  const RepairRequest& request_;
  Services& services_;
  CheckRuns& runs_;
  const Reproduced& base_;
  WarmScreen* screen_;
  SourceTree& tree_;
  RepairResult& result_;
  std::string check_text_;
  Regression regression_;
  Refuter refuter_;
  std::optional<KnownVerdicts> known_;
};

}  // namespace

void search_patch(const SearchInput& input, RepairResult& result) { Search(input, result).run(); }

}  // namespace suture
