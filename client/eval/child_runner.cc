#include "client/eval/child_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Runs of the check that no budget counts: reproduction, tracing, confirmation, repeats.
constexpr int kRunsOutsideBudget = 10;
constexpr std::chrono::minutes kOwnWork{5};

/// This process's environment. The child is suture itself; what its checks get is
/// base_environment's.
std::map<std::string, std::string> inherited_environment() {
  std::map<std::string, std::string> env;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view setting = *entry;
    std::size_t equals = setting.find('=');
    if (equals != std::string_view::npos) {
      env.emplace(setting.substr(0, equals), setting.substr(equals + 1));
    }
  }
  return env;
}

ProcessSpec spec_of(const fs::path& program, const RepairTask& task, const fs::path& scratch) {
  ProcessSpec spec;
  spec.argv = {program.string(), "eval-one"};
  spec.env = inherited_environment();
  spec.env["TMPDIR"] = scratch.string();
  spec.input = write_task(task);
  spec.limits.wall = patience(task);
  return spec;
}

std::string how_it_ended(const ProcessResult& process) {
  switch (process.ending) {
    case Ending::kExited:
      return fmt::format("ended with status {}", process.code);
    case Ending::kSignaled:
      return fmt::format("crashed: signal {} ({})", process.code, strsignal(process.code));
    case Ending::kTimedOut:
      return fmt::format("did not end in {:.0f} s and was killed", process.use.wall_seconds);
    case Ending::kStartFailed:
      return "could not be started: " + process.error;
    case Ending::kMemory:
    case Ending::kProcesses:
    case Ending::kCancelled:
      break;
  }
  return "was killed";
}

InstanceResult lost(const ProcessResult& process) {
  InstanceResult result;
  result.line.outcome = to_string(Outcome::kInfraError);
  result.line.seconds = process.use.wall_seconds;
  result.line.reason = fmt::format("suture's own process for this bug {}", how_it_ended(process));
  std::string said = elide_middle(trim(process.output), 600);
  if (!said.empty()) result.line.reason += "; it printed: " + said;
  return result;
}

Status tree_is_there(const fs::path& tree, const std::string& id, const fs::path& dataset) {
  std::error_code ignored;
  if (fs::is_directory(tree, ignored)) return {};
  return fail(ErrorKind::kInfra, fmt::format("there is no tree {}", tree.string()),
              fmt::format("make it by: bugs.py prepare {} --trees {} {}", dataset.string(),
                          tree.parent_path().string(), id));
}

}  // namespace

std::chrono::milliseconds patience(const RepairTask& task) {
  std::chrono::milliseconds search{0};
  if (task.budget.check_runs) search = *task.budget.check_runs * task.check.timeout;
  if (task.budget.time) {
    search = search.count() > 0 ? std::min(search, *task.budget.time) : *task.budget.time;
  }
  return search + kRunsOutsideBudget * task.check.timeout + kOwnWork;
}

std::string write_instance_result(const InstanceResult& result) {
  ordered_json out = {{"line", to_json(result.line)}, {"warnings", result.warnings}};
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<InstanceResult> read_instance_result(std::string_view text) {
  ordered_json in = ordered_json::parse(text, nullptr, false);
  if (!in.is_object() || !in.contains("line") || !in["line"].is_object()) {
    return fail(ErrorKind::kInternal, "not the result of eval-one");
  }
  InstanceResult result{result_line_from(in["line"]), {}};
  for (const ordered_json& warning : in.value("warnings", ordered_json::array())) {
    if (warning.is_string()) result.warnings.push_back(warning.get<std::string>());
  }
  return result;
}

ChildRunner::ChildRunner(Options options, ProcessRunner& processes)
    : options_(std::move(options)), processes_(processes) {}

Result<InstanceResult> ChildRunner::run(const Instance& instance, const CancelToken& cancel) {
  RepairTask task = make_task(instance, options_.setup);
  TRY_STATUS(tree_is_there(task.tree, instance.id, options_.dataset));
  TRY(TemporaryFolder scratch, TemporaryFolder::make("suture-eval-"));
  ProcessResult process = processes_.run(spec_of(options_.program, task, scratch.path()), cancel);
  bool good = process.ending == Ending::kExited && process.code == 0;
  Result<InstanceResult> result = read_instance_result(process.out);
  if (good && result) return result;
  if (cancel.cancelled()) return fail(ErrorKind::kCancelled, "the evaluation was interrupted");
  return lost(process);
}

}  // namespace suture
