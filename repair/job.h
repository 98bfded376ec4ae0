#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repair/locate/location.h"
#include "repair/propose/candidate.h"
#include "repair/refute/refutation.h"
#include "repair/report/report.h"
#include "repair/validate/tier.h"
#include "repair/validate/verdict.h"

namespace suture {

/// How much search may cost. Both may be set; the first that is used up stops the search. A budget
/// in check runs is deterministic, one in seconds is not. Both count running the check after
/// reproduction; making the candidates is not counted.
struct Budget {
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::int64_t> check_runs;
};

/// Which patterns take part.
struct PatternSelection {
  std::vector<std::string> folders;  ///< besides the built-in catalogue
  std::vector<std::string> only;     ///< pattern ids or families; empty: all
  std::vector<std::string> exclude;  ///< pattern ids or families
};

/// What the user asks of one repair.
struct RepairRequest {
  std::filesystem::path tree;  ///< absolute; read only
  std::optional<Check> check;
  std::optional<Report> report;
  std::string interpreter = "python3";  ///< for questions to installed packages
  Budget budget{std::chrono::milliseconds{300'000}, std::nullopt};
  int jobs = 2;  ///< check runs at once
  int patches_wanted = 1;
  double confidence_threshold = 0.35;  ///< below: NO_PATCH, the patch is withheld
  PatternSelection patterns;
  std::uint64_t seed = 1;  ///< reserved: nothing is left to chance, ties are broken by candidate id
  enum class Search {
    kAll,
    kOnlySilencing
  } search = Search::kAll;  ///< the second is a baseline for eval
  enum class Tiers {
    kAll,        ///< what a warm process can tell is not run afresh, save what passes
    kFreshOnly,  ///< every check run is a new process
  } tiers = Tiers::kAll;
};

enum class Outcome {
  kPatched,
  kNoPatch,
  kNotReproduced,
  kFlakyCheck,
  kNoCheck,
  kEnvironment,
  kUnsupported,
  kCancelled,
  kInfraError,
};
/// "PATCHED", "NO_PATCH", "NOT_REPRODUCED", "FLAKY_CHECK", "NO_CHECK", "ENVIRONMENT",
/// "UNSUPPORTED", "CANCELLED", "INFRA_ERROR".
std::string_view to_string(Outcome outcome);

/// One thing that was rerun for a proposal.
struct Rerun {
  std::string what;  ///< the command, as one would type it
  Verdict verdict = Verdict::kNotRun;
  double seconds = 0;
  Origin origin = Origin::kRun;
};

/// A validated candidate.
struct Proposal {
  Candidate candidate;
  std::string diff;       ///< unified, a/ b/ prefixes, passes `git apply --check`
  double confidence = 0;  ///< 0 to 1
  std::vector<std::string> confidence_reasons;
  std::vector<Rerun> rerun;  ///< the check first
  std::string not_rerun;     ///< what else was not rerun and why; empty when all was
  int rank = 0;              ///< 1-based position in the order of candidates
  /// Others that pass as well, save what is seldom right or silences, and its share of the chance
  /// that ranking gives to all of them.
  std::size_t rivals = 0;
  double share = 1;
};

/// A candidate that was tried, for --explain and the evaluation.
struct Trial {
  std::string candidate;  ///< id
  std::string pattern, rewrite, file, summary;
  int line = 0;
  double score = 0;
  Verdict verdict = Verdict::kNotRun;
  std::string reason;  ///< where the verdict alone does not say it: "breaks test_x.py::test_y"
  Tier tier = Tier::kFresh;  ///< that gave the verdict
  std::string tier_reason;   ///< why no faster tier did
  double seconds = 0;        ///< of its check runs, whoever made them
  Silencing silencing = Silencing::kNo;
  Origin origin = Origin::kRun;
  std::optional<Refutation::Rule> rejected_by;  ///< set where it was rejected without a run
  std::optional<ExceptionRecord> failure;  ///< how the check fails with it, where that is known
};

/// How many candidates a rule of static rejection saved from being run.
std::size_t rejected_by(Refutation::Rule rule, const std::vector<Trial>& trials);

struct Costs {
  double seconds = 0;           ///< wall, whole job
  double search_seconds = 0;    ///< wall, after reproduction
  double own_cpu_seconds = 0;   ///< suture itself, check runs excluded
  double check_seconds = 0;     ///< wall seconds of check runs, summed; warm processes as a whole
  std::int64_t check_runs = 0;  ///< all, reproduction included
  double fresh_seconds = 0;     ///< of check_seconds, in fresh processes
  std::int64_t cached_runs =
      0;  ///< check runs saved: earlier jobs made them, nothing above counts them
};

/// The end of a job: everything that terminal, JSON, SARIF and result lines are rendered from.
struct RepairResult {
  Outcome outcome = Outcome::kNoPatch;
  std::string reason;  ///< why no patch: one sentence
  enum class Lack {
    kNone,
    kPlace,
    kIngredient,
    kBudget
  } lack = Lack::kNone;  ///< what failed, where it can be told
  std::string advice;    ///< for kEnvironment: what to install or pin
  std::optional<Check> check;
  Failure failure;
  std::vector<Location> locations;  ///< best first, at most 50
  std::vector<Proposal> proposals;  ///< shown, best first
  /// Plausible, but below the threshold, silencing or not as good as the patches that were wanted;
  /// best first.
  std::vector<Proposal> withheld;
  std::vector<Trial> trials;                  ///< in the order of the search
  std::size_t candidates = 0;                 ///< made, after deduplication
  std::size_t plausible = 0;                  ///< passed the check
  int rank_first_plausible = 0;               ///< 1-based; 0: none
  std::map<std::string, std::int64_t> tiers;  ///< check runs by tier
  std::vector<std::string> weakenings;        ///< of the sandbox, for the record
  Costs costs;
};

}  // namespace suture
