#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "repair/validate/predicate_switch.h"
#include "repair/validate/time_limits.h"
#include "repair/validate/warm_session.h"

namespace suture {

/// What is known of a candidate before it is run afresh.
struct Screened {
  std::size_t index = 0;
  /// The tier that gave the verdict; kFresh: none could, a fresh run must tell.
  Tier tier = Tier::kFresh;
  Verdict verdict = Verdict::kNotRun;
  int runs = 0;        ///< check runs that were made to their end for it
  double seconds = 0;  ///< wall, of these runs
  std::string reason;  ///< why no faster tier served it, or what stands behind the verdict
  std::optional<ExceptionRecord> failure;  ///< how the check fails with it, where that is known
};

/// What the warm processes cost so far.
struct ScreenCost {
  int sessions = 0;
  double wall_seconds = 0;  ///< their sum, children included
};

/// Tells cheaply which candidates are worth a fresh run. Not thread-safe: one window of candidates
/// after the other, and all is called from one thread, from which `tell` is called as well.
class Screen {
 public:
  virtual ~Screen() = default;
  /// What comes now are other candidates, whatever their indices.
  virtual void forget() = 0;
  /// Begins to run what has to run before the first answer, unless it has begun.
  virtual void start() = 0;
  /// Whether its answers come at once, because what has to run before them has run. Waits for what
  /// has begun to run.
  virtual bool is_warm(const CancelToken& cancel) = 0;
  /// Answers what costs next to nothing, in any order; returns the others, which thorough() serves.
  virtual std::vector<WarmCandidate> quick(std::vector<WarmCandidate> candidates,
                                           const std::function<void(const Screened&)>& tell,
                                           const CancelToken& cancel) = 0;
  /// Whether a candidate that quick() left ran out of time: it is most likely to do so again, which
  /// costs more than anything else.
  virtual bool hangs(std::size_t index) const = 0;
  /// Answers every candidate that quick() left, in any order, unless the token fires. One may cost
  /// up to as much as a fresh run.
  virtual void thorough(std::vector<WarmCandidate> candidates,
                        const std::function<void(const Screened&)>& tell,
                        const CancelToken& cancel) = 0;
  virtual ScreenCost cost() const = 0;
};

/// What the tiers need to know of the check.
struct ScreenOptions {
  std::filesystem::path tree;  ///< absolute
  Check check;
  int jobs = 1;  ///< children at once
  TimeLimits limits;
};

/// The tiers in their order: split, then preload for what split refuses, then none. A tier that
/// turns out not to serve this check is not tried again. Split is served by a held process, and by
/// a session with its plan for what was held too late; preload by a held process as well. A child
/// that runs out of time where the unchanged check does not is left to a fresh run with more of it.
class WarmScreen final : public Screen {
 public:
  WarmScreen(ScreenOptions options, Executor& executor);

  /// Starts the held process of split; may be called before any candidate is known.
  void start() override;
  void forget() override;
  /// Forces outcomes of conditions in the held process; `able` is false where there is none. The
  /// plan's limits and jobs are set here.
  SwitchReport switch_predicates(SwitchPlan plan, const CancelToken& cancel);
  /// The time limits. Where the check hangs, waits until it is known how fast it is.
  TimeLimits limits(const CancelToken& cancel);
  bool is_warm(const CancelToken& cancel) override;

  std::vector<WarmCandidate> quick(std::vector<WarmCandidate> candidates,
                                   const std::function<void(const Screened&)>& tell,
                                   const CancelToken& cancel) override;
  bool hangs(std::size_t index) const override;
  void thorough(std::vector<WarmCandidate> candidates,
                const std::function<void(const Screened&)>& tell,
                const CancelToken& cancel) override;
  ScreenCost cost() const override { return cost_; }

 private:
  /// Whether a tier serves this check.
  struct Service {
    bool able = true;
    std::string reason;  ///< why not
  };

  /// Candidates that a step left without verdict.
  struct Left {
    std::vector<WarmCandidate> refused;   ///< no process of this tier serves them
    std::vector<WarmCandidate> too_late;  ///< another process of this tier may
  };
  using Answer = std::function<void(const WarmAnswer&)>;
  using Ask = std::function<WarmEnd(std::vector<WarmCandidate>, const Answer&)>;

  Left split_held(std::vector<WarmCandidate> candidates,
                  const std::function<void(const Screened&)>& tell, const CancelToken& cancel);
  Left split_session(std::vector<WarmCandidate> candidates,
                     const std::function<void(const Screened&)>& tell, const CancelToken& cancel);
  Left preload(std::vector<WarmCandidate> candidates,
               const std::function<void(const Screened&)>& tell, const CancelToken& cancel);
  Left serve(Tier tier, Service& service, std::vector<WarmCandidate> candidates, const Ask& ask,
             const std::function<void(const Screened&)>& tell);
  WarmPlan plan_of(Tier tier) const;

  ScreenOptions options_;
  Executor& executor_;
  Service split_held_, split_, preload_;
  std::unique_ptr<HeldProcess> held_, preloaded_;
  std::vector<std::string> modules_;             ///< that preload may import; from the base run
  std::set<std::size_t> for_fresh_runs_;         ///< for these no slower tier is asked
  std::set<std::size_t> hanging_;                ///< of these, the ones that ran out of time
  std::map<std::size_t, std::string> refusals_;  ///< why no tier served a candidate so far
  ScreenCost cost_;
};

/// Whether a warm process can hold a check of this form: Python or pytest, started directly.
/// Anything else, a shell line or a launcher, may run several processes of which the first Python
/// is not the one whose status counts.
bool starts_python(const Check& check);

}  // namespace suture
