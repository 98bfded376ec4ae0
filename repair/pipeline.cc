#include "repair/pipeline.h"

#include <fmt/format.h>

#include "repair/check_runs.h"
#include "repair/meter.h"
#include "repair/reproduce/reproduce.h"
#include "repair/search.h"
#include "repair/validate/counting_executor.h"

namespace suture {
namespace {

std::optional<Check> check_of(const RepairRequest& request) {
  if (request.check) return request.check;
  if (request.report && !request.report->checks.empty()) return request.report->checks.front();
  return std::nullopt;
}

/// The failure to work on: what the check's run showed, else what the report tells.
Failure failure_of(const RepairRequest& request, const Reproduced& base) {
  bool silent = base.failure.kind == FailureKind::kUnknown && base.failure.frames.empty();
  if (silent && request.report && !request.report->failures.empty())
    return request.report->failures.front();
  return base.failure;
}

/// What the report tells, for the first event.
std::string understood(const RepairRequest& request) {
  if (!request.report) return "there is none; the check alone tells";
  const Report& report = *request.report;
  if (report.failures.empty()) return "no failure recognised in it";
  std::size_t more = report.failures.size() - 1;
  return report.failures.front().headline() + (more > 0 ? fmt::format(" and {} more", more) : "");
}

ScreenOptions screen_options(const RepairRequest& request, const Check& check,
                             const CheckRun& base) {
  ScreenOptions options;
  options.tree = request.tree;
  options.check = check;
  options.jobs = request.jobs;
  options.limits = time_limits(check, base);
  return options;
}

/// A budget of no runs wants the ranking alone.
bool wants_screen(const RepairRequest& request) {
  return request.tiers == RepairRequest::Tiers::kAll && request.budget.check_runs != 0;
}

/// The outcome when reproduction does not show a reproducible failure.
bool ended_by(const Reproduced& base, RepairResult& result) {
  result.reason = base.reason;
  switch (base.outcome) {
    case Reproduction::kRed:
      result.reason.clear();
      return false;
    case Reproduction::kNotReproduced:
      result.outcome = Outcome::kNotReproduced;
      if (result.reason.empty()) result.reason = "the check passes at this revision";
      return true;
    case Reproduction::kFlaky:
      result.outcome = Outcome::kFlakyCheck;
      if (result.reason.empty())
        result.reason = "the check failed once and passed once at the same revision";
      return true;
    case Reproduction::kCancelled:
      result.outcome = Outcome::kCancelled;
      return true;
    case Reproduction::kInfra:
      result.outcome = Outcome::kInfraError;
      return true;
  }
  return true;
}

void find_patch(const RepairRequest& request, Services& services, CheckRuns& runs,
                const Reproduced& base, WarmScreen* screen, RepairResult& result) {
  auto tree = SourceTree::open(request.tree);
  if (!tree) {
    result.outcome = Outcome::kInfraError;
    result.reason = tree.error().display();
    return;
  }
  search_patch({request, services, runs, base, screen, **tree}, result);
}

}  // namespace

RepairResult repair(const RepairRequest& request, Services& services) {
  Meter whole(services.clock);
  RepairResult result;
  result.check = check_of(request);
  auto finish = [&]() -> RepairResult& {
    result.costs.seconds = whole.seconds();
    result.costs.own_cpu_seconds = whole.cpu_seconds();
    services.store.keep(result);
    return result;
  };
  const auto& given = request.report;
  services.events.emit({"report",
                        understood(request),
                        {{"failures", given ? given->failures.size() : 0},
                         {"checks", given ? given->checks.size() : 0},
                         {"scripts", given ? given->scripts.size() : 0}}});
  if (!result.check) {
    result.outcome = Outcome::kNoCheck;
    result.reason = "there is no check to run: give one with --check, or a report that names one";
    if (request.report && !request.report->failures.empty())
      result.failure = request.report->failures.front();
    return finish();
  }
  if (Status ready = services.executor.ready(); !ready) {
    result.outcome = Outcome::kInfraError;
    result.reason = ready.error().display();
    return finish();
  }

  services.events.emit({"reproduce", "running the check: " + result.check->display(), {}});
  CheckRuns runs(services, request.tree);
  CountingExecutor counted(runs.executor());
  std::optional<WarmScreen> screen;
  auto warm_up = [&](const CheckRun& plain) {
    if (!wants_screen(request)) return;
    screen.emplace(screen_options(request, *result.check, plain), services.executor);
    // Where an earlier job ran the check, it may have run everything else as well.
    if (plain.origin == Origin::kRun) screen->start();
  };
  Reproduced base =
      reproduce(*result.check, request.tree, counted, services.events, services.cancel, warm_up);
  RunTotals cost = counted.totals();
  result.costs.check_runs = std::int64_t(cost.runs);
  result.costs.check_seconds = result.costs.fresh_seconds = cost.wall_seconds;
  result.costs.cached_runs = std::int64_t(cost.cached);
  result.tiers["fresh"] = std::int64_t(cost.runs);
  result.failure = failure_of(request, base);
  if (ended_by(base, result)) {
    // Whoever asks again hopes for another answer.
    if (runs.memory() != nullptr) runs.memory()->drop();
    return finish();
  }

  Meter search(services.clock);
  find_patch(request, services, runs, base, screen ? &*screen : nullptr, result);
  result.costs.search_seconds = search.seconds();
  return finish();
}

}  // namespace suture
