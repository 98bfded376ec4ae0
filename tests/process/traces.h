#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace suture::testing {

/// A number of seconds that `sleep` takes and that no other process of the machine has in its
/// command line: "1000.<pid><count>".
inline std::string unique_seconds() {
  static int count = 0;
  return "1000." + std::to_string(getpid()) + std::to_string(++count) + "7";
}

/// Empty when the process ends meanwhile (streams throw then).
inline std::string read_process_file(const std::filesystem::path& path) {
  std::string text;
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[4096];
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  close(file);
  return text;
}

/// The processes, zombies aside, whose command line contains the text.
inline std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0 || pid == getpid()) continue;
    std::string line = read_process_file(entry.path() / "cmdline");
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.find(text) != std::string::npos) found.push_back(pid);
  }
  return found;
}

/// Waits until the condition holds, at most that long.
inline bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds most) {
  auto end = std::chrono::steady_clock::now() + most;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

inline std::size_t count_entries(const std::filesystem::path& folder, const std::string& prefix) {
  std::size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(prefix)) ++count;
  }
  return count;
}

inline std::size_t open_descriptors() { return count_entries("/proc/self/fd", ""); }

/// Starts this very test binary once more, to run one disabled test in it (a victim to be killed).
inline pid_t start_self(const std::string& disabled_test) {
  std::string filter = "--gtest_filter=" + disabled_test;
  pid_t child = fork();
  if (child != 0) return child;
  execl("/proc/self/exe", "test", "--gtest_also_run_disabled_tests", filter.c_str(), nullptr);
  _exit(127);
}

}  // namespace suture::testing
