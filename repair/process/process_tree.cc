#include "repair/process/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace suture {
namespace {

/// The start of a file of /proc; they are small and read whole. Empty when the process is gone.
std::string read_proc(int folder, const char* name) {
  int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(descriptor);
  return text;
}

std::uint64_t resident_bytes(int process) {
  std::string statm = read_proc(process, "statm");
  unsigned long long pages = 0;
  if (std::sscanf(statm.c_str(), "%*u %llu", &pages) != 1) return 0;
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return pages * page;
}

/// Appends the children of all threads of the process and returns how many threads it has.
std::uint32_t children_of(int process, std::vector<pid_t>* out) {
  int folder = openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  DIR* threads = fdopendir(folder);
  if (threads == nullptr) {
    close(folder);
    return 0;
  }
  std::uint32_t count = 0;
  while (dirent* entry = readdir(threads)) {
    if (entry->d_name[0] == '.') continue;
    ++count;
    std::string children = read_proc(folder, (std::string(entry->d_name) + "/children").c_str());
    char* cursor = children.data();
    for (char* end; *cursor != '\0'; cursor = end) {
      auto child = static_cast<pid_t>(std::strtol(cursor, &end, 10));
      if (end == cursor) break;
      out->push_back(child);
    }
  }
  closedir(threads);
  return count;
}

int open_process(pid_t pid) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d", static_cast<int>(pid));
  return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// State and process group out of /proc/PID/stat. The name before them may hold any character.
bool is_living_member(pid_t pid, pid_t group) {
  int process = open_process(pid);
  if (process < 0) return false;
  std::string stat = read_proc(process, "stat");
  close(process);
  auto name_end = stat.rfind(')');
  char state = 'Z';
  int its_group = 0;
  if (name_end == std::string::npos ||
      std::sscanf(stat.c_str() + name_end + 1, " %c %*d %d", &state, &its_group) != 2) {
    return false;
  }
  return its_group == group && state != 'Z' && state != 'X';
}

}  // namespace

TreeUse measure_tree(pid_t root, std::uint32_t task_limit) {
  TreeUse use;
  std::vector<pid_t> queue{root};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (task_limit != 0 && use.tasks > task_limit) break;
    int process = open_process(queue[next]);
    if (process < 0) continue;
    use.rss_bytes += resident_bytes(process);
    use.tasks += children_of(process, &queue);
    close(process);
  }
  return use;
}

std::vector<pid_t> descendants(pid_t root, std::size_t limit) {
  std::vector<pid_t> queue{root};
  for (std::size_t next = 0; next < queue.size() && queue.size() <= limit; ++next) {
    int process = open_process(queue[next]);
    if (process < 0) continue;
    children_of(process, &queue);
    close(process);
  }
  queue.erase(queue.begin());
  if (queue.size() > limit) queue.resize(limit);
  return queue;
}

std::vector<pid_t> living_members(pid_t group) {
  std::vector<pid_t> members;
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return members;
  while (dirent* entry = readdir(processes)) {
    auto pid = static_cast<pid_t>(std::atoi(entry->d_name));
    if (pid > 0 && is_living_member(pid, group)) members.push_back(pid);
  }
  closedir(processes);
  return members;
}

}  // namespace suture
