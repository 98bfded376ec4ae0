#include "client/eval/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "client/eval/quantile.h"

namespace suture {
namespace {

using nlohmann::ordered_json;

constexpr std::array kWarm{Tier::kSplit, Tier::kPreload};

/// One tier, or all, over the bugs that were measured.
struct Summary {
  std::vector<double> ratios;  ///< one a bug
  std::size_t bugs = 0;        ///< served at least in part
  std::size_t served = 0, run = 0, alike = 0, equal = 0, compared = 0, accepted = 0,
              equally_accepted = 0;
  double seconds = 0, cpu_seconds = 0;
};

std::vector<const BugFigures*> measured(const std::vector<BugFigures>& bugs) {
  std::vector<const BugFigures*> kept;
  for (const BugFigures& bug : bugs) {
    if (bug.left_out.empty()) kept.push_back(&bug);
  }
  return kept;
}

Summary summary_of(const std::vector<const BugFigures*>& bugs, Tier tier) {
  Summary sum;
  for (const BugFigures* bug : bugs) {
    const TierFigures& figures = bug->tiers.at(tier);
    if (double ratio = bug->ratio(tier); ratio > 0) sum.ratios.push_back(ratio);
    sum.bugs += figures.served > 0;
    sum.served += figures.served;
    sum.run += figures.run();
    sum.alike += figures.alike;
    sum.seconds += figures.seconds;
    sum.cpu_seconds += figures.cpu_seconds;
    sum.equal += figures.equal;
    sum.accepted += figures.accepted;
    sum.equally_accepted += figures.equally_accepted;
    for (const Disagreement& each : bug->disagreements) sum.compared += each.tier == tier;
  }
  sum.compared += sum.equal;
  return sum;
}

std::vector<double> best_ratios(const std::vector<const BugFigures*>& bugs) {
  std::vector<double> ratios;
  for (const BugFigures* bug : bugs) ratios.push_back(bug->best_ratio());
  return ratios;
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

std::size_t candidates_of(const std::vector<const BugFigures*>& bugs) {
  std::size_t all = 0;
  for (const BugFigures* bug : bugs) all += bug->candidates;
  return all;
}

ordered_json json_of(const std::vector<double>& ratios) {
  return {{"min", quantile(ratios, 0)},    {"p10", quantile(ratios, 0.1)},
          {"p25", quantile(ratios, 0.25)}, {"median", quantile(ratios, 0.5)},
          {"p75", quantile(ratios, 0.75)}, {"p90", quantile(ratios, 0.9)},
          {"max", quantile(ratios, 1)},    {"bugs", ratios.size()}};
}

ordered_json json_of(const TierFigures& figures) {
  return {{"served", figures.served},
          {"unreached", figures.unreached},
          {"alike", figures.alike},
          {"seconds", figures.seconds},
          {"cpu_seconds", figures.cpu_seconds},
          {"session_seconds", figures.session_seconds},
          {"held_too_late", figures.held_too_late},
          {"equal", figures.equal},
          {"accepted", figures.accepted},
          {"equally_accepted", figures.equally_accepted},
          {"unable", figures.unable},
          {"refusals", figures.refusals}};
}

ordered_json json_of(const BugFigures& bug) {
  ordered_json out = {{"instance_id", bug.id}, {"left_out", bug.left_out}};
  if (!bug.left_out.empty()) return out;
  out["candidates"] = bug.candidates;
  out["base_seconds"] = bug.base_seconds;
  out["fresh_seconds"] = bug.fresh_seconds;
  out["fresh_cpu_seconds"] = bug.fresh_cpu_seconds;
  out["best_ratio"] = bug.best_ratio();
  for (Tier tier : kWarm) {
    std::string name(to_string(tier));
    out[name] = json_of(bug.tiers.at(tier));
    out[name]["ratio"] = bug.ratio(tier);
  }
  out["disagreements"] = ordered_json::array();
  for (const Disagreement& each : bug.disagreements) {
    out["disagreements"].push_back({{"candidate", each.candidate},
                                    {"summary", each.summary},
                                    {"tier", to_string(each.tier)},
                                    {"warm", to_string(each.warm)},
                                    {"fresh", to_string(each.fresh)}});
  }
  return out;
}

std::string distribution(const std::vector<double>& ratios) {
  return fmt::format("{:>7.1f} {:>7.1f} {:>7.1f} {:>7.1f} {:>7.1f}", quantile(ratios, 0),
                     quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75),
                     quantile(ratios, 1));
}

std::string row(Tier tier, const Summary& sum, std::size_t bugs, std::size_t candidates) {
  double runs = double(std::max<std::size_t>(sum.run, 1));
  return fmt::format(
      "{:<8} {:>4.0f}% {:>6.0f}% {:>10.4f} {:>10.4f} {:>10.1f}   {}   {:>6.2f}% {:>6.2f}%\n",
      to_string(tier), 100 * share(sum.bugs, bugs), 100 * share(sum.served, candidates),
      sum.seconds / runs, sum.cpu_seconds / runs,
      sum.seconds > 0 ? double(sum.run) / sum.seconds : 0.0, distribution(sum.ratios),
      100 * share(sum.equally_accepted, sum.accepted), 100 * share(sum.equal, sum.compared));
}

std::string fresh_row(const std::vector<const BugFigures*>& bugs, std::size_t candidates) {
  double seconds = 0, cpu = 0;
  for (const BugFigures* bug : bugs) {
    seconds += bug->fresh_seconds * double(bug->candidates);
    cpu += bug->fresh_cpu_seconds * double(bug->candidates);
  }
  double runs = double(std::max<std::size_t>(candidates, 1));
  return fmt::format("{:<8} {:>4}% {:>6}% {:>10.4f} {:>10.4f} {:>10.1f}\n", "fresh", 100, 100,
                     seconds / runs, cpu / runs, seconds > 0 ? runs / seconds : 0.0);
}

std::string reasons(const std::vector<const BugFigures*>& bugs) {
  std::string text;
  for (Tier tier : kWarm) {
    std::map<std::string, std::size_t> all;
    for (const BugFigures* bug : bugs) {
      const TierFigures& figures = bug->tiers.at(tier);
      for (const auto& [reason, count] : figures.refusals) all[reason] += count;
      if (!figures.unable.empty()) all["(whole check) " + figures.unable] += bug->candidates;
    }
    for (const auto& [reason, count] : all)
      text += fmt::format("  {:<8} {:>5}  {}\n", to_string(tier), count, reason);
  }
  return text;
}

}  // namespace

std::string to_text(const std::vector<BugFigures>& bugs) {
  std::vector<const BugFigures*> kept = measured(bugs);
  std::size_t candidates = candidates_of(kept);
  std::string text = fmt::format("{} candidates of {} bugs\n\n", candidates, kept.size());
  text += fmt::format("{:<8} {:>5} {:>7} {:>10} {:>10} {:>10}   {:<39}   {:<14}\n", "", "bugs",
                      "cands", "s/cand", "CPU/cand", "cand/s", "times faster than fresh (per bug)",
                      "equal to fresh");
  text += fmt::format("{:<54}   {:>7} {:>7} {:>7} {:>7} {:>7}   {:>7} {:>7}\n", "", "min", "p25",
                      "median", "p75", "max", "accept", "all");
  for (Tier tier : kWarm) text += row(tier, summary_of(kept, tier), kept.size(), candidates);
  text += fresh_row(kept, candidates);
  text += fmt::format("{:<54}   {}\n", "best tier of each bug", distribution(best_ratios(kept)));
  text += fmt::format("not run because they end as another one does: {} of {}\n",
                      summary_of(kept, Tier::kSplit).alike, candidates);
  if (std::string why = reasons(kept); !why.empty()) text += "\nnot served, candidates:\n" + why;
  for (const BugFigures* bug : kept) {
    for (const Disagreement& each : bug->disagreements) {
      text += fmt::format("\ndisagreement: {} {}: {} in {}, {} afresh: {}", bug->id,
                          each.candidate.substr(0, 12), to_string(each.warm), to_string(each.tier),
                          to_string(each.fresh), each.summary);
    }
  }
  for (const BugFigures& bug : bugs) {
    if (!bug.left_out.empty()) text += fmt::format("\nleft out: {}: {}", bug.id, bug.left_out);
  }
  return text.ends_with("\n") ? text : text + "\n";
}

ordered_json to_json(const std::vector<BugFigures>& bugs) {
  std::vector<const BugFigures*> kept = measured(bugs);
  std::size_t candidates = candidates_of(kept);
  std::size_t equal = 0, compared = 0, accepted = 0, equally_accepted = 0;
  ordered_json out = {{"bugs", kept.size()}, {"candidates", candidates}};
  for (Tier tier : kWarm) {
    Summary sum = summary_of(kept, tier);
    std::string name(to_string(tier));
    out[name + "_ratio_median"] = quantile(sum.ratios, 0.5);
    out[name + "_ratios"] = json_of(sum.ratios);
    out[name + "_served"] = share(sum.served, candidates);
    out[name + "_alike"] = share(sum.alike, candidates);
    out[name + "_bugs_served"] = share(sum.bugs, kept.size());
    equal += sum.equal;
    compared += sum.compared;
    accepted += sum.accepted;
    equally_accepted += sum.equally_accepted;
  }
  std::vector<double> best = best_ratios(kept);
  out["overall_ratio_median"] = quantile(best, 0.5);
  out["overall_ratios"] = json_of(best);
  out["agreement_accepted"] = accepted == 0 ? 1.0 : share(equally_accepted, accepted);
  out["agreement_all"] = compared == 0 ? 1.0 : share(equal, compared);
  out["compared"] = compared;
  out["accepted"] = accepted;
  out["per_bug"] = ordered_json::array();
  for (const BugFigures& bug : bugs) out["per_bug"].push_back(json_of(bug));
  return out;
}

}  // namespace suture
