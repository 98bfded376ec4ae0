#pragma once

#include "repair/job.h"
#include "repair/vcs/diff.h"

namespace suture::testing {

inline Proposal sample_proposal() {
  Proposal proposal;
  Candidate& candidate = proposal.candidate;
  candidate.id = "c0ffee";
  candidate.pattern = "guard-none";
  candidate.rewrite = "conjunct";
  candidate.family = "conditional";
  candidate.location = {
      "pkg/mod.py", 2, 2, "f", 0.9, {Role::kFailing}, {"the line that raised"}, 0};
  candidate.edits["pkg/mod.py"] = {{{6, 7}, "B"}};
  candidate.files["pkg/mod.py"] = "a\nB\nc\n";
  candidate.summary = "ask whether `x` is None";
  candidate.cause = "`x` can be None here";
  candidate.features = {{"prior", 0.5}};
  candidate.score = 1.5;
  proposal.diff = *unified_diff({{"pkg/mod.py", "a\nb\nc\n", "a\nB\nc\n"}});
  proposal.confidence = 0.82;
  proposal.confidence_reasons = {"only one candidate passes", "its tests pass"};
  proposal.rerun = {{"python -m pytest t.py::x", Verdict::kPassed, 1.25}};
  proposal.not_rerun = "no other test of the tree reaches the edited lines";
  proposal.rank = 3;
  return proposal;
}

inline RepairResult sample_patched() {
  RepairResult result;
  result.outcome = Outcome::kPatched;
  result.check = Check{{"python", "-m", "pytest", "t.py::x"}, {{"A", "1"}}};
  result.failure.kind = FailureKind::kException;
  result.failure.type = "AttributeError";
  result.failure.message = "'NoneType' object has no attribute 'get'";
  result.failure.frames = {{"pkg/mod.py", 2, "f", "b"}};
  result.locations = {sample_proposal().candidate.location};
  result.proposals = {sample_proposal()};
  result.trials = {
      {"dead", "drop-call", "drop", "pkg/mod.py", "delete the call", 2, 2.5, Verdict::kFailed,
       "breaks t.py::y", Tier::kFresh, "split: reads its own source", 0.5, Silencing::kDeletes},
      {"c0ffee", "guard-none", "conjunct", "pkg/mod.py", "ask", 2, 1.5, Verdict::kPassed, "",
       Tier::kSplit, "", 0.25}};
  result.candidates = 12;
  result.plausible = 1;
  result.rank_first_plausible = 2;
  result.tiers = {{"fresh", 4}};
  result.costs = {12.5, 10.0, 0.4, 9.0, 4};
  return result;
}

inline RepairResult sample_unpatched() {
  RepairResult result = sample_patched();
  result.outcome = Outcome::kNoPatch;
  result.reason = "no candidate makes the check pass with enough confidence";
  result.lack = RepairResult::Lack::kIngredient;
  result.withheld = std::move(result.proposals);
  result.proposals.clear();
  result.withheld.front().candidate.silencing = Silencing::kSwallows;
  result.withheld.front().confidence = 0.1;
  return result;
}

}  // namespace suture::testing
