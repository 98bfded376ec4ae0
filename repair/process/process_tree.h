#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace suture {

/// What a process and its descendants use right now.
struct TreeUse {
  std::uint64_t rss_bytes = 0;  ///< summed; pages shared between processes count several times
  std::uint32_t tasks = 0;      ///< processes and threads
};

/// Walks down from `root` through /proc/*/task/*/children, in all PID namespaces below. Stops early
/// once more than `task_limit` tasks are seen (0: never), so that a fork bomb cannot make the walk
/// long. Processes that end meanwhile are left out.
TreeUse measure_tree(pid_t root, std::uint32_t task_limit);

/// The descendants of `root` without itself, nearest first, at most `limit`.
std::vector<pid_t> descendants(pid_t root, std::size_t limit);

/// The members of a process group that are not zombies. Looks at every process of the machine.
std::vector<pid_t> living_members(pid_t group);

}  // namespace suture
