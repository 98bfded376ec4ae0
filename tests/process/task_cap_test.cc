#include "repair/process/task_cap.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <memory>
#include <string>

#include "repair/process/asio_process_runner.h"

namespace suture {
namespace {

/// Starts that many processes at once under the cap and waits for them.
void fork_under(const TaskCap& cap, int processes) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c",
               "for i in $(seq " + std::to_string(processes) + "); do sleep 0.2 & done; wait"};
  spec.env = {{"PATH", "/usr/bin:/bin"}};
  Result<Child> child = start_child(spec, cap.members());
  ASSERT_TRUE(child) << child.error().message;
  waitpid(child->pid, nullptr, 0);
}

class TaskCapTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (caps_.take(10) == nullptr) GTEST_SKIP() << "no control groups for us here";
  }
  TaskCaps caps_;
};

TEST_F(TaskCapTest, RefusesForksAboveIt) {
  std::unique_ptr<TaskCap> cap = caps_.take(20);
  fork_under(*cap, 10);
  EXPECT_FALSE(cap->was_hit());
  fork_under(*cap, 40);
  EXPECT_TRUE(cap->was_hit());
}

TEST_F(TaskCapTest, ReusedCapStartsAfresh) {
  std::unique_ptr<TaskCap> cap = caps_.take(20);
  fork_under(*cap, 40);
  caps_.give_back(std::move(cap));
  for (int i = 0; i < 3; ++i) {
    cap = caps_.take(20);
    fork_under(*cap, 10);
    EXPECT_FALSE(cap->was_hit()) << i;
    caps_.give_back(std::move(cap));
  }
}

TEST_F(TaskCapTest, HitCapEndsARunAsTooManyProcesses) {
  AsioProcessRunner runner;
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "for i in $(seq 300); do sleep 0.01 & done; wait"};
  spec.env = {{"PATH", "/usr/bin:/bin"}};
  spec.limits.processes = 20;
  EXPECT_EQ(runner.run(spec, CancelToken()).ending, Ending::kProcesses);
}

}  // namespace
}  // namespace suture
