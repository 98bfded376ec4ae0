#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

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
};

/// What the warm processes of one window cost.
struct ScreenCost {
  int sessions = 0;
  double wall_seconds = 0;  ///< their sum, children included
};

/// Tells cheaply which candidates are worth a fresh run. Not thread-safe: one window of candidates
/// after the other.
class Screen {
 public:
  virtual ~Screen() = default;
  /// Answers every candidate once, in any order, unless the token fires. Called from one thread;
  /// `tell` is called from the same.
  virtual ScreenCost run(std::vector<WarmCandidate> candidates,
                         const std::function<void(const Screened&)>& tell,
                         const CancelToken& cancel) = 0;
};

/// What the tiers need to know of the check.
struct ScreenOptions {
  std::filesystem::path tree;  ///< absolute
  Check check;
  int jobs = 1;                                     ///< children at once
  std::chrono::milliseconds child_timeout{60'000};  ///< of one child
  std::chrono::milliseconds base_timeout{60'000};   ///< of the base run up to its first fork
};

/// The tiers in their order: split, then preload for what split refuses, then none. A tier that
/// turns out not to serve this check is not tried again.
class WarmScreen final : public Screen {
 public:
  WarmScreen(ScreenOptions options, Executor& executor)
      : options_(std::move(options)), executor_(executor) {}

  ScreenCost run(std::vector<WarmCandidate> candidates,
                 const std::function<void(const Screened&)>& tell,
                 const CancelToken& cancel) override;

 private:
  /// Whether a tier serves this check.
  struct Service {
    bool able = true;
    std::string reason;  ///< why not
  };

  std::vector<WarmCandidate> split(std::vector<WarmCandidate> candidates,
                                   const std::function<void(const Screened&)>& tell,
                                   const CancelToken& cancel);
  std::vector<WarmCandidate> preload(std::vector<WarmCandidate> candidates,
                                     const std::function<void(const Screened&)>& tell,
                                     const CancelToken& cancel);
  std::vector<WarmCandidate> serve(Tier tier, Service& service,
                                   std::vector<WarmCandidate> candidates,
                                   const std::function<void(const Screened&)>& tell,
                                   const CancelToken& cancel);

  ScreenOptions options_;
  Executor& executor_;
  Service split_, preload_;
  std::vector<std::string> modules_;             ///< that preload may import; from the base run
  std::map<std::size_t, std::string> refusals_;  ///< why no tier served a candidate of this window
  ScreenCost cost_;                              ///< of this window
};

/// Whether a warm process can hold a check of this form: Python or pytest, started directly.
/// Anything else, a shell line or a launcher, may run several processes of which the first Python
/// is not the one whose status counts.
bool starts_python(const Check& check);

}  // namespace suture
