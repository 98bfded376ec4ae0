#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repair/report/failure.h"
#include "repair/validate/executor.h"
#include "repair/validate/tier.h"

namespace suture {

/// Replaces the bytes [begin, end) of a file of the tree.
struct Splice {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

/// The one splice that turns `base` into `edited`: what lies between their common start and end,
/// widened to whole UTF-8 characters.
Splice splice_between(std::string_view base, std::string_view edited);
/// The same, a splice for each run of changed lines, in order.
std::vector<Splice> splices_between(std::string_view base, std::string_view edited);

/// A candidate as a warm process gets it.
struct WarmCandidate {
  std::size_t index = 0;                             ///< chosen by the caller, told with the answer
  std::map<std::string, std::vector<Splice>> files;  ///< path in the tree -> ordered, disjoint
};

/// What a warm process said of a candidate.
struct WarmAnswer {
  enum class Kind {
    kVerdict,    ///< a child ran to its end
    kAlike,      ///< it must end as a child of another candidate did, or as the base run: `reason`
    kUnreached,  ///< the base run never calls what the candidate edits: it ends as the base run
                 ///< does
    kRefused,    ///< this tier cannot tell; `reason` says why
    kTooLate,    ///< a held process cannot tell, a session of the same tier with its plan might
  };
  std::size_t index = 0;
  Kind kind = Kind::kRefused;
  Verdict verdict = Verdict::kNotRun;
  int code = 0;            ///< exit status or signal
  double seconds = 0;      ///< wall, of the child
  double cpu_seconds = 0;  ///< user and system, of the child
  std::string reason;
  std::optional<ExceptionRecord> failure;  ///< how the check failed, where the child said
};

/// What another service asks of a warm process instead of candidates.
struct WarmQuestion {
  std::string fields;             ///< of the plan (suture_warm/plan.py), a JSON object; empty: none
  std::size_t most_children = 0;  ///< that are forked for it
  /// A held process is stopped when it takes longer; what it has said until then counts.
  std::optional<std::chrono::milliseconds> time_limit;
  std::function<void(const std::string&)> hear;  ///< gets each line that is not about the process
};

/// What to run in one warm process.
struct WarmPlan {
  Tier tier = Tier::kSplit;  ///< kSplit or kPreload
  std::vector<WarmCandidate> candidates;
  std::vector<std::string> modules;  ///< to import before the fork, for kPreload
  enum class Stop {
    kWhenAnswered,  ///< as soon as no candidate of this tier is left
    kAtEnd,         ///< when the base run has ended: it has then imported all that it ever will
  } stop = Stop::kWhenAnswered;
  int jobs = 1;  ///< children at once
  std::chrono::milliseconds child_timeout{60'000};
  std::chrono::milliseconds start_timeout{60'000};  ///< of the run up to the first fork
  WarmQuestion asked;
};

/// How a warm process ended. Candidates that were not answered are nobody's fault: the next tier
/// serves them.
struct WarmEnd {
  bool able = false;  ///< it served; false: this check is not for this tier, `reason` says why
  std::string reason;
  std::vector<std::string> modules;  ///< third-party modules that the base run imported, in order
  double seconds = 0;                ///< wall, of the base run (where it is new) and the children
  bool hangs =
      false;  ///< the base run went on and on: what was not answered is not reached in time
  std::string output;  ///< of the process, when it has ended: for whoever looks why
};

/// Runs one warm process of the check at the base revision, in the sandbox of `executor`, and tells
/// each answer as it comes (from the calling thread). The process is the check itself with the
/// package repair/validate/warm on its PYTHONPATH, which forks children and reports their exit
/// status on a pipe. Whatever the check writes there instead can only mislead about itself: what
/// passes is run afresh. `tree` is absolute.
WarmEnd run_warm_session(const WarmPlan& plan, const Check& check,
                         const std::filesystem::path& tree, Executor& executor,
                         const std::function<void(const WarmAnswer&)>& tell,
                         const CancelToken& cancel);

class WarmProcess;

/// A warm process that is held and serves one window of candidates after the other, so that what
/// lies before is paid once. A kSplit process is held at the last boundary of the check (a
/// statement at the top of its script, a test of pytest) before the first call into the tree; a
/// kPreload process when it has imported `plan.modules`. It starts with the object, before any
/// candidate is known (`plan.candidates` is not looked at), and ends with it. Not thread-safe.
class HeldProcess {
 public:
  HeldProcess(WarmPlan plan, Check check, std::filesystem::path tree, Executor& executor);
  ~HeldProcess();
  HeldProcess(const HeldProcess&) = delete;
  HeldProcess& operator=(const HeldProcess&) = delete;

  /// Waits until the process is held or it is clear that it never will be, for at most
  /// `plan.start_timeout`.
  bool is_held(const CancelToken& cancel);
  /// Waits until the process is held, as above, then serves the candidates.
  /// `able` is false when it was never held, and when it can serve no further window: then `reason`
  /// says why.
  WarmEnd serve(std::vector<WarmCandidate> candidates,
                const std::function<void(const WarmAnswer&)>& tell, const CancelToken& cancel);
  /// The same with a question instead of candidates.
  WarmEnd ask(WarmQuestion question, const CancelToken& cancel);
  /// Limits children, and how long a base run may go on without reaching more, from now on.
  void limit(std::chrono::milliseconds child_timeout, std::chrono::milliseconds base_timeout);
  /// Wall seconds from the start until the process was held; 0 when it was not.
  double seconds_to_hold() const;
  /// The check has ended and called no function of the tree but at import.
  bool calls_nothing() const;

 private:
  WarmEnd serve(std::vector<WarmCandidate> candidates, WarmQuestion question,
                const std::function<void(const WarmAnswer&)>& tell, const CancelToken& cancel);

  std::unique_ptr<WarmProcess> process_;
  bool serves_ = false;  ///< has been asked
};

}  // namespace suture
