#include "repair/validate/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "repair/base/text.h"

namespace suture {
namespace {

using Tell = std::function<void(const Screened&)>;

/// Importing the third-party modules costs about as much as a fresh run does up to the tree's code:
/// fewer candidates than this are not worth it.
constexpr std::size_t kFewestForPreload = 2;

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
  if (answer.kind == WarmAnswer::Kind::kVerdict) {
    screened.runs = 1;
  } else {
    screened.reason = "the check never calls what it edits";
  }
  return screened;
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

ScreenCost WarmScreen::run(std::vector<WarmCandidate> candidates, const Tell& tell,
                           const CancelToken& cancel) {
  refusals_.clear();
  cost_ = ScreenCost();
  if (split_.able && !starts_python(options_.check)) {
    split_ = preload_ = {false, "the check is not a Python program that is started directly"};
  }
  auto strange = std::partition(candidates.begin(), candidates.end(), is_text);
  for (auto at = strange; at != candidates.end(); ++at)
    tell(left_to_fresh(at->index, "its text is not UTF-8"));
  candidates.erase(strange, candidates.end());

  candidates = split(std::move(candidates), tell, cancel);
  candidates = preload(std::move(candidates), tell, cancel);
  if (cancel.cancelled()) return cost_;
  for (const WarmCandidate& candidate : candidates)
    tell(left_to_fresh(candidate.index, refusals_[candidate.index]));
  return cost_;
}

std::vector<WarmCandidate> WarmScreen::split(std::vector<WarmCandidate> candidates,
                                             const Tell& tell, const CancelToken& cancel) {
  return serve(Tier::kSplit, split_, std::move(candidates), tell, cancel);
}

std::vector<WarmCandidate> WarmScreen::preload(std::vector<WarmCandidate> candidates,
                                               const Tell& tell, const CancelToken& cancel) {
  if (preload_.able && modules_.empty())
    preload_ = {false, "the base run imports no third-party module"};
  if (preload_.able && candidates.size() < kFewestForPreload) return candidates;
  return serve(Tier::kPreload, preload_, std::move(candidates), tell, cancel);
}

std::vector<WarmCandidate> WarmScreen::serve(Tier tier, Service& service,
                                             std::vector<WarmCandidate> candidates,
                                             const Tell& tell, const CancelToken& cancel) {
  if (candidates.empty() || cancel.cancelled()) return candidates;
  auto note = [&](std::size_t index, std::string_view reason) {
    std::string& known = refusals_[index];
    known = fmt::format("{}{}{}: {}", known, known.empty() ? "" : "; ", to_string(tier), reason);
  };
  if (!service.able) {
    for (const WarmCandidate& candidate : candidates) note(candidate.index, service.reason);
    return candidates;
  }
  WarmPlan plan;
  plan.tier = tier;
  plan.candidates = std::move(candidates);
  plan.modules = modules_;
  plan.jobs = options_.jobs;
  plan.child_timeout = options_.child_timeout;
  plan.start_timeout = options_.base_timeout;

  std::set<std::size_t> answered;
  WarmEnd end = run_warm_session(
      plan, options_.check, options_.tree, executor_,
      [&](const WarmAnswer& answer) {
        if (answer.kind == WarmAnswer::Kind::kRefused) {
          note(answer.index, answer.reason);
          return;
        }
        answered.insert(answer.index);
        tell(screened_by(tier, answer));
      },
      cancel);
  cost_.sessions += 1;
  cost_.wall_seconds += end.run.use.wall_seconds;
  if (!end.able) service = {false, end.reason};
  // A base run that could stop early has seen fewer of them than an earlier one may have.
  if (tier == Tier::kSplit && end.modules.size() > modules_.size()) modules_ = end.modules;

  std::vector<WarmCandidate> left;
  for (WarmCandidate& candidate : plan.candidates) {
    if (answered.contains(candidate.index)) continue;
    if (!refusals_.contains(candidate.index) || !end.able) note(candidate.index, end.reason);
    left.push_back(std::move(candidate));
  }
  return left;
}

}  // namespace suture
