#pragma once

#include <memory>

#include "client/eval/task.h"
#include "repair/process/asio_process_runner.h"
#include "repair/reproduce/installed.h"
#include "repair/validate/executor.h"

namespace suture {

/// What one task runs on: processes, the sandbox around its tree, and the packages installed for
/// its interpreter.
class TaskMachine {
 public:
  /// `cancel` ends questions to the packages. Errors: kInfra when checks cannot run here.
  static Result<std::unique_ptr<TaskMachine>> make(const RepairTask& task,
                                                   const CancelToken& cancel);
  Executor& executor() { return *executor_; }
  Installed& installed() { return *installed_; }

 private:
  TaskMachine(const RepairTask& task, const CancelToken& cancel);

  AsioProcessRunner processes_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Installed> installed_;
};

}  // namespace suture
