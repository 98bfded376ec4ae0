#include "repair/validate/launcher.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "repair/base/text.h"
#include "repair/validate/launcher_image.h"

namespace suture {
namespace {

constexpr std::string_view kExitCode = "\"exit-code\":";

/// The kernel's limit lies above the one that is watched: the watchdog says what happened.
constexpr std::uint32_t kTaskMargin = 32;

/// The last word of bwrap on what stopped it: "bwrap: execvp foo: No such file or directory".
std::string last_complaint(std::string_view output) {
  std::string complaint;
  for (std::string_view line : split_lines(output)) {
    if (line.starts_with("bwrap: ")) complaint = line.substr(7);
  }
  return complaint;
}

std::string describe_complaint(const std::string& complaint) {
  constexpr std::string_view kExec = "execvp ";
  if (complaint.starts_with(kExec)) {
    return "cannot start the check's program " + complaint.substr(kExec.size());
  }
  return complaint.empty() ? "the sandbox ended without a word" : "sandbox: " + complaint;
}

void read_report(std::string_view report, LaunchResult* result) {
  for (std::string_view line : split_lines(report)) {
    if (auto at = line.find(kExitCode); at != std::string_view::npos) {
      result->exit_code = std::atoi(std::string(line.substr(at + kExitCode.size())).c_str());
    } else if (line.starts_with("overlay-error ")) {
      result->overlay_failed = true;
      result->error = "overlay: " + std::string(line.substr(14));
    } else if (line.starts_with("start-error ")) {
      result->error = "cannot start the check's program " + std::string(line.substr(12));
    } else if (line.starts_with("error ")) {
      result->error = line.substr(6);
    }
  }
}

LaunchResult not_started(std::string why) {
  LaunchResult result;
  result.process.error = why;
  result.error = std::move(why);
  return result;
}

}  // namespace

Result<Launcher> Launcher::make() {
  TRY(SharedFile image, SharedFile::make("suture-launcher", launcher_image()));
  return Launcher(std::move(image));
}

LaunchResult Launcher::run(const LaunchJob& job, ProcessRunner& runner,
                           const CancelToken& cancel) const {
  Result<SharedFile> files = SharedFile::make("suture-files", job.files);
  if (!files) return not_started(files.error().message);
  Result<SharedFile> report = SharedFile::make("suture-report", "");
  if (!report) return not_started(report.error().message);

  std::uint32_t tasks = job.limits.processes;
  if (tasks > 0) tasks += kTaskMargin;
  ProcessSpec spec;
  spec.argv = {image_.path(),
               std::to_string(report->descriptor()),
               std::to_string(files->descriptor()),
               job.layer == Layer::kOverlay ? "overlay" : "copy",
               job.tree.string(),
               std::to_string(job.overlay_bytes),
               std::to_string(tasks),
               job.start == Start::kSandbox ? "sandbox" : "direct"};
  spec.argv.insert(spec.argv.end(), job.program.begin(), job.program.end());
  if (job.start == Start::kSandbox) {
    auto after_bwrap = spec.argv.end() - static_cast<std::ptrdiff_t>(job.program.size()) + 1;
    spec.argv.insert(after_bwrap, {"--json-status-fd", std::to_string(report->descriptor())});
  }
  spec.env = job.env;
  spec.cwd = job.cwd;
  spec.inherited = {report->descriptor(), files->descriptor()};
  spec.limits = job.limits;

  LaunchResult result;
  result.process = runner.run(spec, cancel);
  if (result.process.ending == Ending::kStartFailed) result.error = result.process.error;
  Result<std::string> facts = report->content();
  if (!facts) return not_started(facts.error().message);
  read_report(*facts, &result);
  if (!result.exit_code && result.error.empty()) {
    result.error = describe_complaint(last_complaint(result.process.output));
  }
  return result;
}

}  // namespace suture
