#include "repair/reproduce/traced_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "repair/reproduce/evidence_folder.h"
#include "repair/validate/guest_package.h"

namespace suture {
namespace {
namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Seconds after which the probe writes where the check hangs: late, but before the end.
double deadline(milliseconds timeout) {
  milliseconds margin = std::clamp(timeout / 5, milliseconds(200), milliseconds(5000));
  return std::max(timeout - margin, timeout / 2).count() / 1000.0;
}

RunRequest request_for(const Check& check, const fs::path& tree, const GuestPackage& probe) {
  RunRequest request;
  request.check = &check;
  probe.join(&request);
  request.env = {{"SUTURE_PROBE_OUT", (probe.out() / kEvidenceFile).string()},
                 {"SUTURE_PROBE_TREE", tree.string()},
                 {"SUTURE_PROBE_DEADLINE", fmt::format("{:.3f}", deadline(check.timeout))}};
  return request;
}

}  // namespace

Result<TracedRun> run_traced(const Check& check, const fs::path& tree, Executor& executor,
                             const CancelToken& cancel) {
  TRY(GuestPackage probe, GuestPackage::make("probe"));
  TracedRun traced;
  traced.run = executor.run(request_for(check, tree, probe), cancel);
  if (!is_red(traced.run.verdict) && traced.run.verdict != Verdict::kPassed) return traced;
  Result<Evidence> evidence = read_evidence_folder(probe.out(), is_red(traced.run.verdict));
  if (evidence) {
    traced.evidence = std::move(*evidence);
    move_paths(traced.evidence, traced.evidence.tree, tree.string());
  } else {
    traced.reason = evidence.error().message;
  }
  return traced;
}

}  // namespace suture
