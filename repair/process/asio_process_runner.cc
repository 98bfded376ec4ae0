#include "repair/process/asio_process_runner.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "repair/process/capped_output.h"
#include "repair/process/child.h"
#include "repair/process/process_tree.h"
#include "repair/process/task_cap.h"

namespace suture {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{50};          // cancel and wall limit
constexpr int kTicksPerMeasure = 2;        // memory and process limits
constexpr milliseconds kShortTick{2};      // once the leader is gone
constexpr milliseconds kDrain{200};        // for pipes that a process outside the group keeps open
constexpr milliseconds kPatience{10'000};  // for processes that SIGKILL cannot end (disk sleep)
constexpr std::size_t kMostKilledOneByOne = 256;
constexpr std::uint32_t kCapMargin = 32;  // the kernel's cap lies above the limit that is watched

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

bool has_ended(const Descriptor& pidfd) {
  pollfd entry{pidfd.get(), POLLIN, 0};
  return poll(&entry, 1, 0) != 0;
}

/// One process from start to end. Lives on the loop's thread; the handlers share its ownership.
class Supervision : public std::enable_shared_from_this<Supervision> {
 public:
  Supervision(asio::io_context& context, TaskCaps& caps, const ProcessSpec& spec,
              const CancelToken& cancel)
      : spec_(spec),
        cancel_(cancel),
        caps_(caps),
        both_(spec.limits.output_bytes),
        alone_(spec.limits.output_bytes),
        out_(context),
        err_(context),
        end_(context),
        timer_(context) {}

  std::future<ProcessResult> result() { return promise_.get_future(); }

  void start() {
    began_ = SteadyClock::now();
    if (cancel_.cancelled()) {
      reason_ = Ending::kCancelled;
      return deliver();
    }
    std::uint32_t processes = spec_.limits.processes;
    cap_ = caps_.take(processes > 0 ? processes + kCapMargin : 0);
    Result<Child> child = start_child(spec_, cap_ != nullptr ? cap_->members() : -1);
    if (!child) {
      result_.error = child.error().message;
      return deliver();
    }
    pid_ = child->pid;
    out_.assign(child->out.release());
    err_.assign(child->err.release());
    end_.assign(child->pidfd.release());
    open_pipes_ = 2;
    read(out_, out_buffer_, &alone_);
    read(err_, err_buffer_, nullptr);
    end_.async_wait(asio::posix::descriptor_base::wait_read,
                    [self = shared_from_this()](const error_code& failed) {
                      if (!failed) self->leader_ended();
                    });
    schedule_tick(kTick);
  }

 private:
  using Buffer = std::array<char, 1 << 16>;

  void read(asio::posix::stream_descriptor& pipe, Buffer& buffer, CappedOutput* alone) {
    pipe.async_read_some(asio::buffer(buffer), [self = shared_from_this(), &pipe, &buffer, alone](
                                                   const error_code& failed, std::size_t count) {
      std::string_view text(buffer.data(), count);
      self->both_.append(text);
      if (alone != nullptr) alone->append(text);
      if (!failed) return self->read(pipe, buffer, alone);
      --self->open_pipes_;
      self->finish_when_quiet();
    });
  }

  void schedule_tick(milliseconds delay) {
    timer_.expires_after(delay);
    timer_.async_wait([self = shared_from_this()](const error_code& failed) {
      if (!failed) self->tick();
    });
  }

  void tick() {
    if (delivered_) return;
    if (leader_gone_) {
      finish_when_quiet();
    } else if (reason_) {
      if (SteadyClock::now() - killed_ > kPatience) return deliver();
    } else {
      check_limits();
    }
    if (!delivered_) schedule_tick(leader_gone_ || reason_ ? kShortTick : kTick);
  }

  void check_limits() {
    const ProcessLimits& limits = spec_.limits;
    if (cancel_.cancelled()) return kill_all(Ending::kCancelled);
    if (limits.wall.count() > 0 && SteadyClock::now() - began_ >= limits.wall) {
      return kill_all(Ending::kTimedOut);
    }
    if (++ticks_ % kTicksPerMeasure != 0) return;
    TreeUse use = measure_tree(pid_, limits.processes);
    result_.use.peak_rss_bytes = std::max(result_.use.peak_rss_bytes, use.rss_bytes);
    if (limits.processes > 0 && use.tasks > limits.processes) return kill_all(Ending::kProcesses);
    if (limits.memory_bytes > 0 && use.rss_bytes > limits.memory_bytes) kill_all(Ending::kMemory);
  }

  /// The group dies at once. Descendants in other sessions are found by their parents; for a PID
  /// namespace its first process is enough, and that one is near the root of the tree.
  void kill_all(Ending reason) {
    reason_ = reason;
    killed_ = SteadyClock::now();
    expect_end_of(descendants(pid_, kMostKilledOneByOne));
    kill(-pid_, SIGKILL);
    for (const Descriptor& pidfd : killed_others_) {
      syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
    }
  }

  void expect_end_of(const std::vector<pid_t>& processes) {
    for (pid_t process : processes) {
      Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
      if (pidfd.get() >= 0) killed_others_.push_back(std::move(pidfd));
    }
  }

  /// The leader is a zombie still, so the number of its group cannot have been given away.
  void leader_ended() {
    kill(-pid_, SIGKILL);
    int status = 0;
    rusage use{};
    pid_t reaped = wait4(pid_, &status, WNOHANG, &use);
    leader_gone_ = true;
    if (!reason_ && cap_ != nullptr && cap_->was_hit()) reason_ = Ending::kProcesses;
    gone_since_ = SteadyClock::now();
    result_.use.wall_seconds = std::chrono::duration<double>(gone_since_ - began_).count();
    if (reaped == pid_) {
      result_.use.cpu_seconds = seconds(use.ru_utime) + seconds(use.ru_stime);
      auto largest = static_cast<std::uint64_t>(use.ru_maxrss) * 1024;
      result_.use.peak_rss_bytes = std::max(result_.use.peak_rss_bytes, largest);
      result_.ending = WIFSIGNALED(status) ? Ending::kSignaled : Ending::kExited;
      result_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    } else {
      result_.ending = Ending::kStartFailed;
      result_.error = "its exit status was taken by another part of this program";
    }
    // Zombies that the machine's init has not collected keep a group in being: look closer.
    if (kill(-pid_, 0) == 0) expect_end_of(living_members(pid_));
    finish_when_quiet();
    if (!delivered_) schedule_tick(kShortTick);
  }

  /// A pipe may be held by a daemon that left the group; it must not keep us.
  void finish_when_quiet() {
    if (!leader_gone_ || delivered_) return;
    auto waited = SteadyClock::now() - gone_since_;
    bool drained = open_pipes_ == 0 || waited > kDrain;
    std::erase_if(killed_others_, has_ended);
    if ((drained && killed_others_.empty()) || waited > kPatience) deliver();
  }

  void deliver() {
    delivered_ = true;
    caps_.give_back(std::move(cap_));
    if (reason_) result_.ending = *reason_;
    result_.output = both_.text();
    result_.out = alone_.text();
    result_.truncated = both_.truncated() || alone_.truncated();
    error_code ignored;
    timer_.cancel();
    out_.close(ignored);
    err_.close(ignored);
    end_.close(ignored);
    promise_.set_value(std::move(result_));
  }

  const ProcessSpec& spec_;  // both live in the caller, which waits for the promise
  const CancelToken& cancel_;
  TaskCaps& caps_;
  std::unique_ptr<TaskCap> cap_;
  std::promise<ProcessResult> promise_;
  ProcessResult result_;
  CappedOutput both_;
  CappedOutput alone_;
  asio::posix::stream_descriptor out_;
  asio::posix::stream_descriptor err_;
  asio::posix::stream_descriptor end_;
  asio::steady_timer timer_;
  Buffer out_buffer_;
  Buffer err_buffer_;

  pid_t pid_ = -1;
  std::vector<Descriptor> killed_others_;
  std::optional<Ending> reason_;  ///< why we killed it, when we did
  SteadyClock::time_point began_;
  SteadyClock::time_point killed_;
  SteadyClock::time_point gone_since_;
  int open_pipes_ = 0;
  unsigned ticks_ = 0;
  bool leader_gone_ = false;
  bool delivered_ = false;
};

}  // namespace

struct AsioProcessRunner::Loop {
  TaskCaps caps;  // used on the thread only
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  std::thread thread{[this] { context.run(); }};
};

AsioProcessRunner::AsioProcessRunner() : loop_(std::make_unique<Loop>()) {}

AsioProcessRunner::~AsioProcessRunner() {
  loop_->work.reset();
  loop_->thread.join();
}

ProcessResult AsioProcessRunner::run(const ProcessSpec& spec, const CancelToken& cancel) {
  auto supervision = std::make_shared<Supervision>(loop_->context, loop_->caps, spec, cancel);
  std::future<ProcessResult> result = supervision->result();
  asio::post(loop_->context, [supervision] { supervision->start(); });
  return result.get();
}

}  // namespace suture
