#include "client/cli/repair_job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <thread>

#include "client/cli/check_command.h"
#include "client/cli/report_input.h"
#include "client/cli/version.h"
#include "client/eval/budget.h"
#include "repair/base/digest.h"
#include "repair/base/file.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// What any honest check needs is far below these. They stop what would take the machine down.
ProcessLimits limits_of_checks() {
  ProcessLimits limits;
  auto pages = std::uint64_t(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  limits.memory_bytes = pages * std::uint64_t(sysconf(_SC_PAGESIZE)) / 4 * 3;
  limits.processes = 1024;
  limits.file_bytes = 16ull << 30;
  return limits;
}

int number_of_processors() { return std::max(1, int(std::thread::hardware_concurrency())); }

Result<fs::path> existing_folder(const std::string& name) {
  std::error_code ec;
  fs::path folder = fs::canonical(name, ec);
  if (ec) return fail(ErrorKind::kNotFound, fmt::format("no such folder: {}", name));
  if (!fs::is_directory(folder, ec))
    return fail(ErrorKind::kBadInput, fmt::format("{} is not a folder", name));
  if (access(folder.c_str(), R_OK | X_OK) != 0) {
    return fail(ErrorKind::kBadInput, fmt::format("{} cannot be read", name),
                "its permissions keep you out");
  }
  if (folder == "/")
    return fail(ErrorKind::kUsage, "the whole file system cannot be repaired", "name a folder");
  return folder;
}

/// Builds a job step by step; each step may use what earlier ones found.
class Preparation {
 public:
  Preparation(const RepairOptions& options, ProcessRunner& processes, const CancelToken& cancel)
      : options_(options), processes_(processes), cancel_(cancel) {}

  Result<RepairJob> run() {
    if (options_.check.empty() && options_.report.empty()) {
      return fail(
          ErrorKind::kUsage, "nothing to repair: no check and no report",
          "give --check COMMAND, --report FILE or both; `suture repair --help` has examples");
    }
    TRY_STATUS(search_bounds());
    TRY_STATUS(tree());
    TRY_STATUS(report());
    TRY_STATUS(check());
    TRY_STATUS(interpreter());
    TRY_STATUS(environment());
    TRY_STATUS(startable());
    checkout();
    return std::move(job_);
  }

 private:
  Status search_bounds() {
    RepairRequest& request = job_.request;
    request.budget = {};
    std::vector<std::string> bounds = options_.budget;
    // A bound in check runs alone leaves time free, so that the result is the same on a slow
    // machine.
    if (bounds.empty() && options_.max_runs == 0) bounds.push_back(RepairOptions::kDefaultBudget);
    request.budget.time.reset();
    for (const std::string& bound : bounds) {
      TRY(Budget read, parse_budget(bound));
      if (read.time) request.budget.time = read.time;
      if (read.check_runs) request.budget.check_runs = read.check_runs;
    }
    if (options_.max_runs > 0) {
      request.budget.check_runs =
          std::min(request.budget.check_runs.value_or(options_.max_runs), options_.max_runs);
    }
    request.jobs = options_.jobs > 0 ? options_.jobs : number_of_processors();
    if (options_.no_cache) job_.memory = RepairJob::Memory::kNone;
    if (options_.fresh_only) request.tiers = RepairRequest::Tiers::kFreshOnly;
    request.patches_wanted = options_.patches;
    request.confidence_threshold = options_.confidence;
    request.seed = options_.seed;
    request.patterns = {options_.patterns, options_.only, options_.exclude};
    for (const std::string& folder : options_.patterns) TRY_STATUS(existing_folder(folder));
    return {};
  }

  Status tree() {
    TRY(job_.user_tree, existing_folder(options_.repo));
    job_.request.tree = job_.user_tree;
    return options_.revision.empty() ? Status{} : revision();
  }

  Status revision() {
    TRY(job_.revision, materialise(job_.user_tree, options_.revision));
    TRY(std::optional<Checkout> checkout, find_checkout(job_.user_tree));
    fs::path below = checkout ? job_.user_tree.lexically_relative(checkout->root) : fs::path(".");
    std::error_code ec;
    job_.request.tree = fs::canonical(job_.revision->folder.path() / below, ec);
    if (ec) {
      return fail(ErrorKind::kNotFound,
                  fmt::format("revision {} has no folder {}", options_.revision, below.string()));
    }
    if (!job_.revision->missing.empty()) {
      note(
          "{} files of the revision are not in the repository (a partial clone?) and were left out",
          job_.revision->missing.size());
    }
    return {};
  }

  Status report() {
    if (options_.report.empty()) return {};
    if (options_.report == "-" && isatty(STDIN_FILENO) == 1)
      note("reading the report; end it with Ctrl-D");
    TRY(job_.request.report, read_report_input(options_.report, cancel_));
    return {};
  }

  /// The user's check, else one that the report names, else its script if the user agreed to run
  /// it, else none.
  Status check() {
    std::optional<Check>& check = job_.request.check;
    if (!options_.check.empty()) {
      TRY(check, parse_check(options_.check));
    } else if (!job_.request.report->checks.empty()) {
      check = job_.request.report->checks.front();
      note("check named in the report: {}", check->display());
    } else if (!job_.request.report->scripts.empty()) {
      TRY_STATUS(script());
    }
    if (!check) return {};
    TRY(check->timeout, parse_duration(options_.timeout));
    return {};
  }

  Status script() {
    if (!options_.run_script) {
      note(
          "the report carries a script that may show the failure; --run-script agrees to run it as "
          "the check");
      return {};
    }
    const ReproScript& script = job_.request.report->scripts.front();
    bool python = script.language == "python";
    // Its path is part of the check and of every traceback: one script, one path.
    TRY(job_.script, TemporaryFolder::make("suture-script-", sha256(script.text).substr(0, 12)));
    fs::path file = job_.script->path() / (python ? "reproduce.py" : "reproduce.sh");
    if (!(std::ofstream(file) << script.text << std::flush)) {
      return fail(ErrorKind::kInfra, fmt::format("cannot write {}", file.string()),
                  "is there room in TMPDIR?");
    }
    job_.request.check = Check{{python ? "python3" : "sh", file.string()}, {}};
    note("check: the {} script in the report", script.language);
    return {};
  }

  Status interpreter() {
    InterpreterSearch search{options_.python, job_.request.tree, own_environment()};
    std::optional<Check>& check = job_.request.check;
    if (search.wish.empty() && check) search.wish = interpreter_named_by(*check, job_.request.tree);
    TRY(interpreter_, find_interpreter(search, processes_, cancel_));
    if (!interpreter_.supported()) {
      note("Python {} is outside 3.8 to 3.13: what happens inside checks cannot be looked at",
           interpreter_.version());
    }
    job_.request.interpreter = interpreter_.path.string();
    if (check) check = with_interpreter(std::move(*check), interpreter_);
    return {};
  }

  Status environment() {
    std::map<std::string, std::string> given;
    std::vector<std::string> passed_on;
    for (const std::string& setting : options_.env) {
      std::size_t equals = setting.find('=');
      if (equals == 0 || setting.empty()) {
        return fail(ErrorKind::kUsage, fmt::format("--env {} has no name", setting),
                    "write NAME=VALUE or NAME");
      }
      if (equals == std::string::npos) {
        passed_on.push_back(setting);
      } else {
        given[setting.substr(0, equals)] = setting.substr(equals + 1);
      }
    }
    LocalExecutorOptions& execution = job_.execution;
    execution.tree = job_.request.tree;
    execution.environment = base_environment(interpreter_.path, passed_on);
    execution.policy.limits = limits_of_checks();
    for (const std::string& path : options_.readable) {
      TRY(fs::path folder, existing_folder(path));
      execution.visible.push_back(folder.string());
    }
    if (job_.request.check) job_.request.check->env.merge(given);
    if (options_.no_sandbox) {
      job_.isolation = RepairJob::Isolation::kNone;
      note("without a sandbox: the code under repair runs with your rights");
    }
    return {};
  }

  Status startable() {
    if (!job_.request.check) return {};
    const Check& check = *job_.request.check;
    auto own_path = check.env.find("PATH");
    const std::string& path =
        own_path != check.env.end() ? own_path->second : job_.execution.environment["PATH"];
    return find_parts_of(check, job_.request.tree, path);
  }

  /// For the record only: a repository that cannot be read does not stop a repair.
  void checkout() {
    JobContext& context = job_.context;
    context.version = version();
    auto checkout = find_checkout(job_.user_tree);
    if (!checkout || !*checkout) return;
    context.origin = (*checkout)->origin;
    if (job_.revision) {
      context.revision = job_.revision->revision;
      context.work_tree = "clean";
      return;
    }
    context.revision = (*checkout)->revision;
    auto state = work_tree_of(**checkout);
    if (state) context.work_tree = *state == WorkTree::kClean ? "clean" : "dirty";
  }

  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    job_.notes.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  const RepairOptions& options_;
  ProcessRunner& processes_;
  const CancelToken& cancel_;
  Interpreter interpreter_;
  RepairJob job_;
};

}  // namespace

Result<RepairJob> prepare_repair(const RepairOptions& options, ProcessRunner& processes,
                                 const CancelToken& cancel) {
  return Preparation(options, processes, cancel).run();
}

}  // namespace suture
