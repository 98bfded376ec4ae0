#include "repair/process/task_cap.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// Cgroup v1 has a hierarchy for the controller, v2 one for all.
constexpr const char* kHierarchies[] = {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"};
constexpr std::string_view kPrefix = "suture-";

std::string usable_hierarchy() {
  if (geteuid() != 0) return {};
  for (const char* base : kHierarchies) {
    std::string procs = std::string(base) + "/cgroup.procs";
    if (access(procs.c_str(), W_OK) == 0) return base;
  }
  return {};
}

void remove_groups_of_the_dead(const std::string& base) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(base, error)) {
    std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    pid_t owner = std::atoi(name.c_str() + kPrefix.size());
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) rmdir(entry.path().c_str());
  }
}

}  // namespace

TaskCap::~TaskCap() { rmdir(folder_.c_str()); }

std::uint64_t TaskCap::refused() const {
  Result<std::string> events = read_file(folder_ + "/pids.events");
  if (!events || !events->starts_with("max ")) return 0;
  return std::strtoull(events->c_str() + 4, nullptr, 10);
}

bool TaskCap::was_hit() const { return refused() > refused_before_; }

bool TaskCap::is_empty() const {
  Result<std::string> tasks = read_file(folder_ + "/pids.current");
  return tasks && trim(*tasks) == "0";
}

bool TaskCap::open_for(std::uint32_t tasks) {
  Descriptor limit(open((folder_ + "/pids.max").c_str(), O_WRONLY | O_CLOEXEC));
  members_ = Descriptor(open((folder_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  refused_before_ = refused();
  std::string text = std::to_string(tasks);
  return limit.get() >= 0 && members_.get() >= 0 &&
         write(limit.get(), text.data(), text.size()) > 0;
}

TaskCaps::TaskCaps() : base_(usable_hierarchy()) {
  if (!base_.empty()) remove_groups_of_the_dead(base_);
}

std::unique_ptr<TaskCap> TaskCaps::make() {
  static std::atomic<int> count = 0;  // several runners in one process
  std::string folder = fmt::format("{}/{}{}-{}", base_, kPrefix, getpid(), ++count);
  if (mkdir(folder.c_str(), 0755) != 0) return nullptr;
  return std::unique_ptr<TaskCap>(new TaskCap(std::move(folder)));
}

std::unique_ptr<TaskCap> TaskCaps::take(std::uint32_t tasks) {
  if (base_.empty() || tasks == 0) return nullptr;
  // Zombies count until the machine's init has collected them.
  auto unused =
      std::find_if(free_.begin(), free_.end(), [](const auto& cap) { return cap->is_empty(); });
  if (unused != free_.end()) {
    std::unique_ptr<TaskCap> cap = std::move(*unused);
    free_.erase(unused);
    if (cap->open_for(tasks)) return cap;  // else somebody removed the group
  }
  std::unique_ptr<TaskCap> cap = make();
  return cap != nullptr && cap->open_for(tasks) ? std::move(cap) : nullptr;
}

void TaskCaps::give_back(std::unique_ptr<TaskCap> cap) {
  if (cap == nullptr) return;
  cap->members_ = Descriptor();
  free_.push_back(std::move(cap));
}

}  // namespace suture
