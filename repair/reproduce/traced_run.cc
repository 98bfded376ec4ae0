#include "repair/reproduce/traced_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "repair/base/file.h"
#include "repair/reproduce/evidence_folder.h"

namespace suture {
namespace {
namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Seconds after which the probe writes where the check hangs: late, but before the end.
double deadline(milliseconds timeout) {
  milliseconds margin = std::clamp(timeout / 5, milliseconds(200), milliseconds(5000));
  return std::max(timeout - margin, timeout / 2).count() / 1000.0;
}

RunRequest request_for(const Check& check, const fs::path& tree, const fs::path& out) {
  RunRequest request;
  request.check = &check;
  fs::path probe = share_folder("probe");
  request.python_path = {probe.string()};
  request.mounts = {{probe.string(), probe.string(), Mount::Access::kRead},
                    {out.string(), out.string(), Mount::Access::kWrite}};
  request.env = {{"SUTURE_PROBE_OUT", (out / kEvidenceFile).string()},
                 {"SUTURE_PROBE_TREE", tree.string()},
                 {"SUTURE_PROBE_DEADLINE", fmt::format("{:.3f}", deadline(check.timeout))}};
  return request;
}

}  // namespace

bool is_red(Verdict verdict) {
  return verdict == Verdict::kFailed || verdict == Verdict::kTimedOut ||
         verdict == Verdict::kCrashed;
}

Result<TracedRun> run_traced(const Check& check, const fs::path& tree, Executor& executor,
                             const CancelToken& cancel) {
  TRY(TemporaryFolder folder, TemporaryFolder::make("suture-probe-"));
  // The run may be another user's; the folder around this one stays closed to everybody else.
  fs::path out = folder.path() / "out";
  std::error_code ec;
  if (!fs::create_directory(out, ec)) return fail(ErrorKind::kInfra, "cannot make " + out.string());
  fs::permissions(out, fs::perms::all, ec);

  TracedRun traced;
  traced.run = executor.run(request_for(check, tree, out), cancel);
  if (!is_red(traced.run.verdict) && traced.run.verdict != Verdict::kPassed) return traced;
  Result<Evidence> evidence = read_evidence_folder(out, is_red(traced.run.verdict));
  if (evidence) {
    traced.evidence = std::move(*evidence);
    move_paths(traced.evidence, traced.evidence.tree, tree.string());
  } else {
    traced.reason = evidence.error().message;
  }
  return traced;
}

}  // namespace suture
