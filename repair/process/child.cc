#include "repair/process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "repair/base/text.h"
#include "repair/process/shared_file.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

namespace suture {
namespace {

constexpr rlim_t kOpenFiles = 4096;
constexpr rlim_t kMostOpenFiles = 65536;
// Counts every process of the user on the machine, so it only stops what outruns the watchdog.
constexpr rlim_t kProcessBackstop = 8192;

#if defined(__SANITIZE_THREAD__)
constexpr int kCloneFlags =
    SIGCHLD;  // ThreadSanitizer keeps books that a shared memory would spoil
#else
constexpr int kCloneFlags = CLONE_VM | CLONE_VFORK | SIGCHLD;
#endif

struct ResourceLimit {
  int resource;
  rlimit limit;
};

/// All that the child needs, made before it starts: it must not allocate.
struct ChildPlan {
  const char* program = nullptr;
  std::vector<char*> argv;
  std::vector<char*> env;
  const char* cwd = nullptr;
  int in = -1;
  int out = -1;
  int err = -1;
  int report = -1;  ///< takes a StartError when something fails; closed by exec
  int cgroup_members = -1;
  const std::vector<int>* inherited = nullptr;
  std::vector<ResourceLimit> limits;
  pid_t parent = 0;
};

struct StartError {
  int error = 0;
  char step[16] = {};
};

[[noreturn]] void give_up(const ChildPlan& plan, const char* step) {
  StartError report;
  report.error = errno;
  std::strncpy(report.step, step, sizeof report.step - 1);
  [[maybe_unused]] ssize_t ignored = write(plan.report, &report, sizeof report);
  _exit(127);
}

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Everything from 3 on is closed by exec. Kernels before 5.11 do it one by one.
void close_others_at_exec() {
  if (syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int number = 3; number < static_cast<int>(kMostOpenFiles); ++number) {
    fcntl(number, F_SETFD, FD_CLOEXEC);
  }
}

/// Runs in the child: raw system calls only.
int child_main(void* argument) {
  const ChildPlan& plan = *static_cast<const ChildPlan*>(argument);
  if (setsid() < 0) give_up(plan, "setsid");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(plan, "prctl");
  if (getppid() != plan.parent) _exit(127);  // suture ended before the line above
  if (plan.cgroup_members >= 0 && write(plan.cgroup_members, "0", 1) < 0) give_up(plan, "cgroup");
  for (const ResourceLimit& item : plan.limits) {
    if (setrlimit(static_cast<__rlimit_resource_t>(item.resource), &item.limit) != 0) {
      give_up(plan, "setrlimit");
    }
  }
  if (plan.cwd != nullptr && chdir(plan.cwd) != 0) give_up(plan, "chdir");
  if (dup2(plan.in, 0) < 0 || dup2(plan.out, 1) < 0 || dup2(plan.err, 2) < 0) {
    give_up(plan, "dup2");
  }
  close_others_at_exec();
  for (int number : *plan.inherited) {
    if (fcntl(number, F_SETFD, 0) != 0) give_up(plan, "fcntl");
  }
  reset_signals();
  execve(plan.program, plan.argv.data(), plan.env.data());
  give_up(plan, "execve");
}

tl::unexpected<Error> failed(std::string_view what, int error) {
  return fail(ErrorKind::kInfra, fmt::format("{}: {}", what, std::strerror(error)));
}

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return failed("cannot make a pipe", errno);
  for (int& end : ends) {  // the child overwrites 0, 1 and 2
    if (end > 2) continue;
    int moved = fcntl(end, F_DUPFD_CLOEXEC, 3);
    close(end);
    end = moved;
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

bool is_program(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

/// As execvpe would find it, but in the PATH that the program itself will see.
Result<std::string> find_program(const ProcessSpec& spec) {
  if (spec.argv.empty()) return fail(ErrorKind::kInfra, "no program given");
  const std::string& name = spec.argv.front();
  if (name.find('/') != std::string::npos) return name;
  auto path = spec.env.find("PATH");
  for (const std::string& folder :
       split(path == spec.env.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second, ':')) {
    if (folder.empty()) continue;
    std::string candidate = folder + "/" + name;
    if (is_program(candidate)) return candidate;
  }
  return fail(ErrorKind::kInfra, fmt::format("cannot find program '{}'", name));
}

std::vector<ResourceLimit> resource_limits(const ProcessLimits& limits) {
  std::vector<ResourceLimit> list;
  list.push_back({RLIMIT_CORE, {0, 0}});
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_max = std::min(files.rlim_max, kMostOpenFiles);
  files.rlim_cur = std::min(files.rlim_max, kOpenFiles);
  list.push_back({RLIMIT_NOFILE, files});
  if (limits.cpu.count() > 0) {
    auto seconds = static_cast<rlim_t>(limits.cpu.count());
    list.push_back({RLIMIT_CPU, {seconds, seconds + 1}});  // SIGXCPU, a second later SIGKILL
  }
  if (limits.file_bytes > 0) {
    list.push_back({RLIMIT_FSIZE, {limits.file_bytes, limits.file_bytes}});
  }
  if (limits.processes > 0 && getuid() != 0) {  // the kernel does not hold root to it
    rlim_t most = limits.processes + kProcessBackstop;
    rlimit now{};
    if (getrlimit(RLIMIT_NPROC, &now) == 0) most = std::min(most, now.rlim_max);
    list.push_back({RLIMIT_NPROC, {most, most}});
  }
  return list;
}

/// A signal handler of the host program must not run in the child, which shares its memory.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

pid_t clone_child(ChildPlan* plan) {
  constexpr std::size_t kStack = 256 << 10;
  auto stack = std::make_unique<char[]>(kStack);
  SignalsBlocked blocked;
  auto top = reinterpret_cast<std::uintptr_t>(stack.get() + kStack) & ~std::uintptr_t{15};
  return clone(child_main, reinterpret_cast<void*>(top), kCloneFlags, plan);
}

/// Nothing arrives when exec succeeded: it closed the pipe.
StartError read_start_error(int pipe) {
  StartError report;
  ssize_t got;
  do got = read(pipe, &report, sizeof report);
  while (got < 0 && errno == EINTR);
  return got == sizeof report ? report : StartError{};
}

std::string describe(const StartError& report, const ProcessSpec& spec) {
  std::string_view step = report.step;
  std::string_view why = std::strerror(report.error);
  if (step == "execve") return fmt::format("cannot start '{}': {}", spec.argv.front(), why);
  if (step == "chdir") return fmt::format("cannot enter folder '{}': {}", spec.cwd, why);
  return fmt::format("cannot start '{}': {}: {}", spec.argv.front(), step, why);
}

void make_non_blocking(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// An end of file at once, or the given text.
Result<SharedFile> standard_input(const ProcessSpec& spec) {
  return SharedFile::make("suture-input", spec.input);
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

Result<Child> start_child(const ProcessSpec& spec, int cgroup_members) {
  TRY(std::string program, find_program(spec));
  TRY(SharedFile input, standard_input(spec));
  TRY(Pipe out, make_pipe());
  TRY(Pipe err, make_pipe());
  TRY(Pipe report, make_pipe());

  std::vector<std::string> settings;
  settings.reserve(spec.env.size());
  for (const auto& [name, value] : spec.env) settings.push_back(name + "=" + value);

  ChildPlan plan;
  plan.program = program.c_str();
  for (const std::string& word : spec.argv) plan.argv.push_back(const_cast<char*>(word.c_str()));
  plan.argv.push_back(nullptr);
  for (const std::string& line : settings) plan.env.push_back(const_cast<char*>(line.c_str()));
  plan.env.push_back(nullptr);
  plan.cwd = spec.cwd.empty() ? nullptr : spec.cwd.c_str();
  plan.in = input.descriptor();
  plan.out = out.write.get();
  plan.err = err.write.get();
  plan.report = report.write.get();
  plan.cgroup_members = cgroup_members;
  plan.inherited = &spec.inherited;
  plan.limits = resource_limits(spec.limits);
  plan.parent = getpid();

  Child child;
  child.pid = clone_child(&plan);
  if (child.pid < 0) return failed("cannot start a process", errno);
  report.write = Descriptor();
  StartError error = read_start_error(report.read.get());
  if (error.error != 0) {
    waitpid(child.pid, nullptr, 0);
    return fail(ErrorKind::kInfra, describe(error, spec));
  }
  child.pidfd = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, child.pid, 0)));
  if (child.pidfd.get() < 0) {
    int reason = errno;
    kill(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
    return failed("cannot watch the process (Linux 5.3 or later is needed)", reason);
  }
  make_non_blocking(out.read.get());
  make_non_blocking(err.read.get());
  child.out = std::move(out.read);
  child.err = std::move(err.read);
  return child;
}

}  // namespace suture
