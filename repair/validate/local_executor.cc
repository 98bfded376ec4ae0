#include "repair/validate/local_executor.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/validate/bubblewrap.h"
#include "repair/validate/candidate_files.h"
#include "repair/validate/launcher.h"
#include "repair/validate/needed_paths.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

using Environment = std::map<std::string, std::string>;

/// Signals that end a program which went wrong, or that the limits send. The shell's convention of
/// 128 + signal is all that is left of them behind bwrap; other codes from 129 on are plain
/// statuses.
constexpr std::array kCrashSignals{SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE, SIGKILL,
                                   SIGSEGV, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS};

std::optional<int> crash_signal(int code) {
  bool crashed =
      std::find(kCrashSignals.begin(), kCrashSignals.end(), code - 128) != kCrashSignals.end();
  return crashed ? std::optional(code - 128) : std::nullopt;
}

CheckRun infra_error(std::string reason) {
  CheckRun run;
  run.verdict = Verdict::kInfraError;
  run.reason = std::move(reason);
  return run;
}

void judge_exit(const LaunchResult& launch, CheckRun* run) {
  if (!launch.exit_code) {
    run->verdict = Verdict::kInfraError;
    run->reason = launch.error;
    return;
  }
  run->code = *launch.exit_code;
  if (auto signal = crash_signal(*launch.exit_code)) {
    run->verdict = Verdict::kCrashed;
    run->code = *signal;
    run->reason = fmt::format("ended by signal {} ({})", *signal, sigabbrev_np(*signal));
  } else {
    run->verdict = run->code == 0 ? Verdict::kPassed : Verdict::kFailed;
  }
}

CheckRun judge(LaunchResult launch, const ProcessLimits& limits) {
  CheckRun run;
  run.use = launch.process.use;
  switch (launch.process.ending) {
    case Ending::kExited:
      judge_exit(launch, &run);
      break;
    case Ending::kTimedOut:
      run.verdict = Verdict::kTimedOut;
      run.reason = fmt::format("not done after {:g} s", limits.wall.count() / 1000.0);
      break;
    case Ending::kMemory:
      run.verdict = Verdict::kCrashed;
      run.code = SIGKILL;
      run.reason = fmt::format("took more than {} MB of memory", limits.memory_bytes >> 20);
      break;
    case Ending::kProcesses:
      run.verdict = Verdict::kCrashed;
      run.code = SIGKILL;
      run.reason = fmt::format("started more than {} processes", limits.processes);
      break;
    case Ending::kCancelled:
      run.verdict = Verdict::kCancelled;
      break;
    case Ending::kSignaled:
      run.verdict = Verdict::kInfraError;
      run.reason = fmt::format("the launcher was killed by signal {}", launch.process.code);
      break;
    case Ending::kStartFailed:
      run.verdict = Verdict::kInfraError;
      run.reason = launch.error;
      break;
  }
  run.output = std::move(launch.process.output);
  return run;
}

Environment environment_of(const RunRequest& request, const Environment& base) {
  Environment environment = base;
  for (const auto* more : {&request.check->env, &request.env}) {
    for (const auto& [name, value] : *more) environment[name] = value;
  }
  std::vector<std::string> entries = request.python_path;
  if (auto set = environment.find("PYTHONPATH"); set != environment.end() && !set->second.empty()) {
    entries.push_back(set->second);
  }
  if (!entries.empty()) environment["PYTHONPATH"] = join(entries, ":");
  return environment;
}

ProcessLimits limits_of(const RunRequest& request, const SandboxPolicy& policy) {
  ProcessLimits limits = policy.limits;
  std::chrono::milliseconds timeout = request.check->timeout;
  if (timeout.count() > 0) {
    limits.wall = limits.wall.count() > 0 ? std::min(limits.wall, timeout) : timeout;
  }
  return limits;
}

/// A whole copy of a folder: modes, times, links and holes as they are, owned by us.
Status copy_tree(const fs::path& from, const fs::path& to, ProcessRunner& runner,
                 const CancelToken& cancel) {
  ProcessSpec spec;
  spec.argv = {
      "cp",       "-RP", "--preserve=mode,timestamps,links", "--reflink=auto", from.string() + "/.",
      to.string()};
  spec.env = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}};
  spec.limits.output_bytes = 4096;
  ProcessResult result = runner.run(spec, cancel);
  if (result.ending == Ending::kCancelled) return fail(ErrorKind::kCancelled, "cancelled");
  if (result.ending == Ending::kExited && result.code == 0) return {};
  return fail(ErrorKind::kInfra,
              fmt::format("cannot copy the tree: {}{}", result.error, trim(result.output)));
}

CheckRun not_copied(const Error& error) {
  CheckRun run = infra_error(error.message);
  if (error.kind == ErrorKind::kCancelled) run.verdict = Verdict::kCancelled;
  return run;
}

Status check_tree(const fs::path& tree) {
  std::error_code ignored;
  if (tree.is_absolute() && tree != "/" && fs::is_directory(tree, ignored)) return {};
  return fail(ErrorKind::kInfra,
              fmt::format("'{}' cannot be a tree to run checks in", tree.string()));
}

/// Decides once what the machine offers; what was decided does not change later.
class SandboxedExecutor final : public Executor {
 public:
  SandboxedExecutor(LocalExecutorOptions options, ProcessRunner& runner)
      : options_(std::move(options)), runner_(runner) {}

  Status ready() override {
    std::call_once(once_, [this] { status_ = prepare(); });
    return status_;
  }

  CheckRun run(const RunRequest& request, const CancelToken& cancel) override {
    if (Status status = ready(); !status) return infra_error(status.error().display());
    Result<std::string> files = pack_files(options_.tree, request.files);
    if (!files) return infra_error(files.error().message);
    LaunchJob job = job_for(layer_);
    job.files = std::move(*files);
    job.limits = limits_of(request, options_.policy);
    Bubblewrap::Inside inside = inside_of(request);
    std::optional<TemporaryFolder> copy;
    if (layer_ == Layer::kCopy) {
      Result<TemporaryFolder> made = TemporaryFolder::make("suture-run-");
      if (!made) return infra_error(made.error().message);
      copy.emplace(std::move(*made));
      Status copied = copy_tree(options_.tree, copy->path(), runner_, cancel);
      if (!copied) return not_copied(copied.error());
      job.tree = inside.tree_source = copy->path();
    }
    job.program = bubblewrap_->command_line(inside, nested_);
    return judge(launcher_->run(job, runner_, cancel), job.limits);
  }

 private:
  Status prepare() {
    TRY_STATUS(check_tree(options_.tree));
    std::error_code ignored;
    real_tree_ = fs::canonical(options_.tree, ignored);
    environment_paths_ = environment_paths(options_.environment);
    TRY(Launcher launcher, Launcher::make());
    launcher_.emplace(std::move(launcher));
    TRY(Bubblewrap bubblewrap, Bubblewrap::find(options_.tree, options_.policy));
    bubblewrap_.emplace(std::move(bubblewrap));
    return try_forms();
  }

  /// The strongest form that works: bwrap before 0.8 cannot forbid nested user name spaces, kernels
  /// before 6.6 and nested containers may have no overlay for us.
  Status try_forms() {
    std::string why;
    for (Layer layer : {Layer::kOverlay, Layer::kCopy}) {
      if (layer == Layer::kOverlay && !owns_tree()) continue;
      for (NestedUsers nested : {NestedUsers::kForbidden, NestedUsers::kAllowed}) {
        LaunchResult result = probe(layer, nested);
        if (result.exit_code == 0) {
          layer_ = layer;
          nested_ = nested;
          return {};
        }
        why = result.error.empty() ? "/bin/true failed in it" : result.error;
        if (result.overlay_failed) break;
      }
    }
    return fail(ErrorKind::kInfra, "the sandbox does not work here: " + why,
                "user name spaces must be allowed; or run with --no-sandbox");
  }

  /// In an overlay, files of others stay theirs, and the check could not write them.
  bool owns_tree() const {
    struct stat status {};
    return stat(real_tree_.c_str(), &status) == 0 && status.st_uid == geteuid();
  }

  LaunchResult probe(Layer layer, NestedUsers nested) {
    LaunchJob job = job_for(layer);
    job.limits.wall = std::chrono::seconds(30);
    Bubblewrap::Inside inside;
    inside.tree_source = real_tree_;
    inside.env = {{"PATH", "/usr/bin:/bin"}};
    inside.command = {"true"};
    job.program = bubblewrap_->command_line(inside, nested);
    return launcher_->run(job, runner_, CancelToken());
  }

  LaunchJob job_for(Layer layer) const {
    LaunchJob job;
    job.layer = layer;
    job.start = Start::kSandbox;
    job.tree = real_tree_;
    job.overlay_bytes = options_.policy.tmp_bytes;
    job.cwd = "/";
    return job;  // no environment: LD_PRELOAD of a check must not reach bwrap
  }

  Bubblewrap::Inside inside_of(const RunRequest& request) const {
    Bubblewrap::Inside inside;
    inside.tree_source = real_tree_;
    inside.env = environment_of(request, options_.environment);
    inside.command = request.check->command;
    inside.mounts = request.mounts;
    inside.readable = environment_paths_;
    auto add = [&](std::vector<fs::path> paths) {
      inside.readable.insert(inside.readable.end(), paths.begin(), paths.end());
    };
    add({options_.visible.begin(), options_.visible.end()});
    add(command_paths(*request.check));
    if (auto set = inside.env.find("PYTHONPATH"); set != inside.env.end()) {
      add(python_paths(set->second));
    }
    return inside;
  }

  LocalExecutorOptions options_;
  ProcessRunner& runner_;
  std::once_flag once_;
  Status status_;
  fs::path real_tree_;
  std::vector<fs::path> environment_paths_;
  std::optional<Launcher> launcher_;
  std::optional<Bubblewrap> bubblewrap_;
  Layer layer_ = Layer::kOverlay;
  NestedUsers nested_ = NestedUsers::kForbidden;
};

/// `text` with `from` replaced by `to` where it is a whole path or the start of one.
std::string with_moved_path(const std::string& text, const std::string& from,
                            const std::string& to) {
  std::string moved;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(from, begin)) != std::string::npos;) {
    char next = at + from.size() < text.size() ? text[at + from.size()] : '\0';
    bool whole = next == '\0' || std::string_view("/:;,\"' \n").find(next) != std::string::npos;
    moved += text.substr(begin, at - begin) + (whole ? to : from);
    begin = at + from.size();
  }
  return moved + text.substr(begin);
}

/// Runs in a copy, at another path than the tree's; words and settings that name the tree follow.
class UnsandboxedExecutor final : public Executor {
 public:
  UnsandboxedExecutor(LocalExecutorOptions options, ProcessRunner& runner)
      : options_(std::move(options)), runner_(runner) {}

  Status ready() override {
    std::call_once(once_, [this] { status_ = prepare(); });
    return status_;
  }

  CheckRun run(const RunRequest& request, const CancelToken& cancel) override {
    if (Status status = ready(); !status) return infra_error(status.error().display());
    Result<std::string> files = pack_files(options_.tree, request.files);
    if (!files) return infra_error(files.error().message);
    Result<TemporaryFolder> folder = TemporaryFolder::make("suture-run-");
    if (!folder) return infra_error(folder.error().message);
    std::error_code error;
    for (const char* name : {"tree", "tmp", "home"}) {
      fs::create_directory(folder->path() / name, error);
    }
    fs::path tree = folder->path() / "tree";
    Status copied = copy_tree(options_.tree, tree, runner_, cancel);
    if (!copied) return not_copied(copied.error());

    LaunchJob job;
    job.layer = Layer::kCopy;
    job.start = Start::kDirect;
    job.tree = tree;
    job.files = std::move(*files);
    job.cwd = tree;
    job.limits = limits_of(request, options_.policy);
    job.env = environment_of(request, options_.environment);
    for (auto& [name, value] : job.env) value = moved(value, tree);
    job.env["HOME"] = folder->path() / "home";
    job.env["TMPDIR"] = folder->path() / "tmp";
    for (const std::string& word : request.check->command) job.program.push_back(moved(word, tree));
    return judge(launcher_->run(job, runner_, cancel), job.limits);
  }

 private:
  Status prepare() {
    TRY_STATUS(check_tree(options_.tree));
    TRY(Launcher launcher, Launcher::make());
    launcher_.emplace(std::move(launcher));
    return {};
  }

  std::string moved(const std::string& text, const fs::path& copy) const {
    return with_moved_path(text, options_.tree.string(), copy.string());
  }

  LocalExecutorOptions options_;
  ProcessRunner& runner_;
  std::once_flag once_;
  Status status_;
  std::optional<Launcher> launcher_;
};

/// "/a/b/" and "/a/./b" are "/a/b".
LocalExecutorOptions normalised(LocalExecutorOptions options) {
  options.tree = options.tree.lexically_normal();
  if (!options.tree.has_filename()) options.tree = options.tree.parent_path();
  return options;
}

}  // namespace

std::unique_ptr<Executor> make_sandboxed_executor(LocalExecutorOptions options,
                                                  ProcessRunner& runner) {
  return std::make_unique<SandboxedExecutor>(normalised(std::move(options)), runner);
}

std::unique_ptr<Executor> make_unsandboxed_executor(LocalExecutorOptions options,
                                                    ProcessRunner& runner, Weakening weakening) {
  options.policy.weakenings.push_back(std::move(weakening));
  return std::make_unique<UnsandboxedExecutor>(normalised(std::move(options)), runner);
}

}  // namespace suture
