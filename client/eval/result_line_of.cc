#include <string_view>

#include "client/eval/result_line.h"

namespace suture {
namespace {

std::string_view lacking(RepairResult::Lack lack) {
  switch (lack) {
    case RepairResult::Lack::kNone:
      return "";
    case RepairResult::Lack::kPlace:
      return "place: ";
    case RepairResult::Lack::kIngredient:
      return "ingredient: ";
    case RepairResult::Lack::kBudget:
      return "budget: ";
  }
  return "";
}

void describe(const Proposal& proposal, ResultLine& line) {
  line.confidence = proposal.confidence;
  line.pattern = proposal.candidate.pattern;
  line.file = proposal.candidate.location.file;
  line.line = proposal.candidate.location.line;
}

}  // namespace

ResultLine result_line_of(const RepairResult& result) {
  ResultLine line;
  line.outcome = std::string(to_string(result.outcome));
  if (!result.withheld.empty()) {
    line.withheld_patch = result.withheld.front().diff;
    describe(result.withheld.front(), line);
  }
  if (!result.proposals.empty()) {
    line.model_patch = result.proposals.front().diff;
    describe(result.proposals.front(), line);
  }
  line.seconds = result.costs.seconds;
  line.own_cpu_seconds = result.costs.own_cpu_seconds;
  line.check_runs = result.costs.check_runs;
  line.check_seconds = result.costs.check_seconds;
  line.fresh_seconds = result.costs.fresh_seconds;
  line.candidates = std::int64_t(result.candidates);
  line.plausible = std::int64_t(result.plausible);
  line.rank_first_plausible = result.rank_first_plausible;
  if (!result.reason.empty()) line.reason = std::string(lacking(result.lack)) + result.reason;
  if (!result.advice.empty()) {
    line.reason += (line.reason.empty() ? "" : "; ") + result.advice;
  }
  line.tiers = result.tiers;
  line.weakenings = result.weakenings;
  return line;
}

}  // namespace suture
