#pragma once

#include <sys/types.h>

#include "repair/base/result.h"
#include "repair/process/process_runner.h"

namespace suture {

/// A descriptor that is closed when the object goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return number_; }
  int release();

 private:
  int number_ = -1;
};

/// A started process: its pidfd becomes readable when it ends, and it stays a zombie until somebody
/// waits for `pid`.
struct Child {
  pid_t pid = -1;
  Descriptor pidfd;
  Descriptor out;  ///< read end of its standard output, non-blocking
  Descriptor err;  ///< the same of standard error
};

/// Starts the program as leader of its own session and process group; it is killed when the calling
/// *thread* ends. Between clone and exec only async-signal-safe calls are made, in a child that
/// shares our memory (as posix_spawn does), so that the cost does not grow with our size.
/// `cgroup_members` is the cgroup.procs file of a control group to join; -1 for none.
/// Errors: kInfra, the message says which step failed.
Result<Child> start_child(const ProcessSpec& spec, int cgroup_members);

}  // namespace suture
