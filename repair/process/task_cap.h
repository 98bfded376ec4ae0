#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "repair/process/child.h"

namespace suture {

/// A control group that caps how many tasks its members can be. It holds where RLIMIT_NPROC does
/// not (for root), and a fork bomb cannot outrun it.
class TaskCap {
 public:
  ~TaskCap();
  /// Takes the text "0" from a process that wants to become a member.
  int members() const { return members_.get(); }
  /// Whether a fork was refused since the cap was handed out.
  bool was_hit() const;

 private:
  friend class TaskCaps;
  explicit TaskCap(std::string folder) : folder_(std::move(folder)) {}
  std::uint64_t refused() const;
  bool is_empty() const;
  /// Ready to be handed out; false when the group is gone or not ours to set.
  bool open_for(std::uint32_t tasks);

  std::string folder_;
  Descriptor members_;  ///< open while handed out
  std::uint64_t refused_before_ = 0;
};

/// Makes caps and keeps them for reuse. Only root may, and not in every container: then there are
/// none, and the watchdog is all there is. A killed suture leaves empty groups; the next one
/// removes them. Not thread-safe.
class TaskCaps {
 public:
  TaskCaps();
  /// nullptr where there are none.
  std::unique_ptr<TaskCap> take(std::uint32_t tasks);
  void give_back(std::unique_ptr<TaskCap> cap);

 private:
  std::unique_ptr<TaskCap> make();
  std::string base_;  ///< where groups are made; empty for nowhere
  std::vector<std::unique_ptr<TaskCap>> free_;
};

}  // namespace suture
