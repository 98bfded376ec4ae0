#include "repair/validate/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "repair/base/text.h"

namespace suture {
namespace {

using Tell = std::function<void(const Screened&)>;

/// A new warm process costs about as much as a fresh run does up to the tree's code: fewer
/// candidates than this are not worth it.
constexpr std::size_t kFewestForProcess = 2;

Screened left_to_fresh(std::size_t index, std::string reason) {
  Screened screened;
  screened.index = index;
  screened.reason = std::move(reason);
  return screened;
}

Screened screened_by(Tier tier, const WarmAnswer& answer) {
  Screened screened;
  screened.index = answer.index;
  screened.tier = tier;
  screened.verdict = answer.verdict;
  screened.seconds = answer.seconds;
  screened.failure = answer.failure;
  if (answer.kind == WarmAnswer::Kind::kVerdict) {
    screened.runs = 1;
  } else if (answer.kind == WarmAnswer::Kind::kAlike) {
    screened.reason = answer.reason;
  } else {
    screened.reason = "the check never calls what it edits";
  }
  return screened;
}

Screened hangs_unreached(Tier tier, std::size_t index) {
  Screened screened;
  screened.index = index;
  screened.tier = tier;
  screened.verdict = Verdict::kTimedOut;
  screened.reason = "the check hangs before it calls what it edits";
  return screened;
}

bool is_refusal(const WarmAnswer& answer) {
  return answer.kind == WarmAnswer::Kind::kRefused || answer.kind == WarmAnswer::Kind::kTooLate;
}

/// JSON carries characters; the files of a few old sources are not UTF-8.
bool is_text(const WarmCandidate& candidate) {
  for (const auto& [path, splices] : candidate.files) {
    for (const Splice& splice : splices) {
      if (to_valid_utf8(splice.text) != splice.text) return false;
    }
  }
  return true;
}

}  // namespace

bool starts_python(const Check& check) {
  if (check.command.empty()) return false;
  const std::string& program = check.command.front();
  return is_python(program) || is_pytest(program);
}

WarmScreen::WarmScreen(ScreenOptions options, Executor& executor)
    : options_(std::move(options)), executor_(executor) {
  if (!starts_python(options_.check))
    split_ = preload_ = {false, "the check is not a Python program that is started directly"};
  split_held_ = {false, "not started before"};
}

void WarmScreen::start() {
  if (!split_.able || held_) return;
  held_ = std::make_unique<HeldProcess>(plan_of(Tier::kSplit), options_.check, options_.tree,
                                        executor_);
  split_held_ = Service();
}

void WarmScreen::forget() {
  for_fresh_runs_.clear();
  hanging_.clear();
  refusals_.clear();
}

SwitchReport WarmScreen::switch_predicates(SwitchPlan plan, const CancelToken& cancel) {
  if (!is_warm(cancel)) return {};
  plan.jobs = options_.jobs;
  plan.child_timeout = options_.limits.child;
  plan.start_timeout = options_.limits.base;
  SwitchReport report = suture::switch_predicates(plan, *held_, cancel);
  cost_.sessions += 1;
  cost_.wall_seconds += report.seconds;
  return report;
}

bool WarmScreen::is_warm(const CancelToken& cancel) {
  if (!held_ || !held_->is_held(cancel)) return false;
  if (options_.limits.base_hangs) {
    options_.limits = hang_limits(options_.check, held_->seconds_to_hold());
    held_->limit(options_.limits.child, options_.limits.child);
  } else {
    held_->limit(held_child_limit(options_.limits, held_->seconds_to_hold()), options_.limits.base);
  }
  return true;
}

TimeLimits WarmScreen::limits(const CancelToken& cancel) {
  if (options_.limits.base_hangs) is_warm(cancel);
  return options_.limits;
}

std::vector<WarmCandidate> WarmScreen::quick(std::vector<WarmCandidate> candidates,
                                             const Tell& tell, const CancelToken& cancel) {
  auto strange = std::stable_partition(candidates.begin(), candidates.end(), is_text);
  std::vector<WarmCandidate> refused(std::make_move_iterator(strange),
                                     std::make_move_iterator(candidates.end()));
  candidates.erase(strange, candidates.end());
  for (const WarmCandidate& candidate : refused) {
    refusals_[candidate.index] = "its text is not UTF-8";
    for_fresh_runs_.insert(candidate.index);
  }

  Left held = split_held(std::move(candidates), tell, cancel);
  Left split = split_session(std::move(held.too_late), tell, cancel);
  std::ranges::move(held.refused, std::back_inserter(refused));
  std::ranges::move(split.refused, std::back_inserter(refused));
  return refused;
}

bool WarmScreen::hangs(std::size_t index) const { return hanging_.contains(index); }

void WarmScreen::thorough(std::vector<WarmCandidate> candidates, const Tell& tell,
                          const CancelToken& cancel) {
  std::erase_if(candidates, [&](const WarmCandidate& candidate) {
    if (!for_fresh_runs_.contains(candidate.index)) return false;
    tell(left_to_fresh(candidate.index, refusals_[candidate.index]));
    return true;
  });
  Left left = preload(std::move(candidates), tell, cancel);
  if (cancel.cancelled()) return;
  for (const WarmCandidate& candidate : left.refused)
    tell(left_to_fresh(candidate.index, refusals_[candidate.index]));
}

WarmScreen::Left WarmScreen::split_held(std::vector<WarmCandidate> candidates, const Tell& tell,
                                        const CancelToken& cancel) {
  if (!split_held_.able) return {{}, std::move(candidates)};
  Left left = serve(
      Tier::kSplit, split_held_, std::move(candidates),
      [&](std::vector<WarmCandidate> asked, const Answer& answer) {
        return held_->serve(std::move(asked), answer, cancel);
      },
      tell);
  if (held_->calls_nothing()) {
    // Preload serves what importing calls as well, and pays no base run for it.
    split_ = split_held_;
  } else if (!split_held_.able) {
    std::ranges::move(left.refused, std::back_inserter(left.too_late));
    left.refused.clear();
  }
  return left;
}

WarmScreen::Left WarmScreen::split_session(std::vector<WarmCandidate> candidates, const Tell& tell,
                                           const CancelToken& cancel) {
  if (held_ && candidates.size() < kFewestForProcess) return {std::move(candidates), {}};
  return serve(
      Tier::kSplit, split_, std::move(candidates),
      [&](std::vector<WarmCandidate> asked, const Answer& answer) {
        WarmPlan plan = plan_of(Tier::kSplit);
        plan.candidates = std::move(asked);
        return run_warm_session(plan, options_.check, options_.tree, executor_, answer, cancel);
      },
      tell);
}

WarmScreen::Left WarmScreen::preload(std::vector<WarmCandidate> candidates, const Tell& tell,
                                     const CancelToken& cancel) {
  if (preload_.able && modules_.empty())
    preload_ = {false, "the base run imports no third-party module"};
  if (preload_.able && !preloaded_) {
    if (candidates.size() < kFewestForProcess) return {std::move(candidates), {}};
    preloaded_ = std::make_unique<HeldProcess>(plan_of(Tier::kPreload), options_.check,
                                               options_.tree, executor_);
  }
  return serve(
      Tier::kPreload, preload_, std::move(candidates),
      [&](std::vector<WarmCandidate> asked, const Answer& answer) {
        return preloaded_->serve(std::move(asked), answer, cancel);
      },
      tell);
}

WarmScreen::Left WarmScreen::serve(Tier tier, Service& service,
                                   std::vector<WarmCandidate> candidates, const Ask& ask,
                                   const Tell& tell) {
  if (candidates.empty()) return {};
  auto note = [&](std::size_t index, std::string_view reason) {
    std::string& known = refusals_[index];
    known = fmt::format("{}{}{}: {}", known, known.empty() ? "" : "; ", to_string(tier), reason);
  };
  if (!service.able) {
    for (const WarmCandidate& candidate : candidates) note(candidate.index, service.reason);
    return {std::move(candidates), {}};
  }
  enum class Told { kVerdict, kRefused, kTooLate };
  std::map<std::size_t, Told> told;
  WarmEnd end = ask(candidates, [&](const WarmAnswer& answer) {
    if (is_refusal(answer)) {
      note(answer.index, answer.reason);
      told[answer.index] =
          answer.kind == WarmAnswer::Kind::kRefused ? Told::kRefused : Told::kTooLate;
      return;
    }
    if (answer.verdict == Verdict::kTimedOut && !options_.limits.base_hangs) {
      note(answer.index, fmt::format("not at its end after {:.1f} s", answer.seconds));
      told[answer.index] = Told::kRefused;
      for_fresh_runs_.insert(answer.index);
      hanging_.insert(answer.index);
      return;
    }
    told[answer.index] = Told::kVerdict;
    tell(screened_by(tier, answer));
  });
  cost_.sessions += 1;
  cost_.wall_seconds += end.seconds;
  if (!end.able) service = {false, end.reason};
  // A base run that could stop early has seen fewer of them than an earlier one may have.
  if (tier == Tier::kSplit && end.modules.size() > modules_.size()) modules_ = end.modules;

  Left left;
  for (WarmCandidate& candidate : candidates) {
    auto found = told.find(candidate.index);
    if (found == told.end() && end.hangs && options_.limits.base_hangs) {
      tell(hangs_unreached(tier, candidate.index));
      continue;
    }
    if (found == told.end()) note(candidate.index, end.reason);
    if (found == told.end() || found->second == Told::kRefused) {
      left.refused.push_back(std::move(candidate));
    } else if (found->second == Told::kTooLate) {
      left.too_late.push_back(std::move(candidate));
    }
  }
  return left;
}

WarmPlan WarmScreen::plan_of(Tier tier) const {
  WarmPlan plan;
  plan.tier = tier;
  if (tier == Tier::kPreload) plan.modules = modules_;
  plan.jobs = options_.jobs;
  plan.child_timeout = options_.limits.child;
  plan.start_timeout = options_.limits.base;
  return plan;
}

}  // namespace suture
