#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "repair/base/cancel.h"

namespace suture {

/// Bounds on one process and all its descendants. 0 means no bound.
struct ProcessLimits {
  std::chrono::milliseconds wall{0};
  std::chrono::seconds cpu{0};         ///< RLIMIT_CPU of each process
  std::uint64_t memory_bytes = 0;      ///< summed resident set, watched about ten times a second
  std::uint32_t processes = 0;         ///< processes and threads, watched likewise
  std::uint64_t file_bytes = 0;        ///< RLIMIT_FSIZE
  std::size_t output_bytes = 4 << 20;  ///< kept of each stream; the rest is drained and counted
};

/// A program to start. No shell is involved.
struct ProcessSpec {
  std::vector<std::string> argv;           ///< argv[0] is searched for in PATH of `env`
  std::map<std::string, std::string> env;  ///< the whole environment; nothing is inherited
  std::string cwd;                         ///< empty: the current folder
  std::string input;                       ///< standard input, as a file at its start; may be empty
  std::vector<int> inherited;  ///< descriptors (> 2) that stay open, under their numbers
  ProcessLimits limits;
};

struct ResourceUse {
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< user and system, of the process and the descendants it waited for
  std::uint64_t peak_rss_bytes = 0;  ///< summed over all descendants, sampled; at least the largest
};

/// How a process ended. The first reason wins: a time-out that leads to SIGKILL is kTimedOut.
enum class Ending {
  kExited,       ///< code is the exit status
  kSignaled,     ///< code is the signal number
  kTimedOut,     ///< the wall limit; the whole group was killed
  kMemory,       ///< the memory limit; the whole group was killed
  kProcesses,    ///< the process limit; the whole group was killed
  kCancelled,    ///< the cancel token; the whole group was killed
  kStartFailed,  ///< never ran; `error` says why
};

struct ProcessResult {
  Ending ending = Ending::kStartFailed;
  int code = 0;
  std::string output;  ///< standard output and error interleaved as they came, capped in the middle
  std::string out;     ///< standard output alone, capped
  bool truncated = false;
  std::string error;  ///< for kStartFailed
  ResourceUse use;
};

/// Starts processes, waits for them, drains their output and never leaves one behind: each is the
/// leader of its own process group and dies with suture (PR_SET_PDEATHSIG). Thread-safe; `run`
/// blocks its caller. All processes are started from one long-lived thread, because the death
/// signal fires when the starting *thread* ends.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  /// Never throws. After it returns no process of the group is alive.
  virtual ProcessResult run(const ProcessSpec& spec, const CancelToken& cancel) = 0;
};

}  // namespace suture
