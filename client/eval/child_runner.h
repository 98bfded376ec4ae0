#pragma once

#include <filesystem>
#include <string>

#include "client/eval/eval.h"
#include "client/eval/task.h"
#include "repair/process/process_runner.h"

namespace suture {

/// Repairs each bug in a process of its own (`suture eval-one`, the task on standard input, the
/// result on standard output). So a crash of suture loses one bug, own CPU seconds are those of one
/// bug, and no state passes from bug to bug. The process gets a temporary folder of its own as
/// $TMPDIR, which is removed after it however it ended.
///
/// A tree that is not there, a crash and a process that does not end are INFRA_ERROR with a reason.
class ChildRunner final : public InstanceRunner {
 public:
  struct Options {
    std::filesystem::path program;  ///< the suture binary
    std::filesystem::path dataset;  ///< for the advice how to prepare a missing tree
    EvalSetup setup;
  };
  /// `processes` must outlive the object.
  ChildRunner(Options options, ProcessRunner& processes);
  Result<InstanceResult> run(const Instance& instance, const CancelToken& cancel) override;

 private:
  Options options_;
  ProcessRunner& processes_;
};

/// What `eval-one` prints.
std::string write_instance_result(const InstanceResult& result);
/// Errors: kInternal.
Result<InstanceResult> read_instance_result(std::string_view text);

/// After how long a process of suture that repairs one bug is taken to hang: far beyond what its
/// budget and the runs outside the budget (reproduction, confirmation, repeats) can take.
std::chrono::milliseconds patience(const RepairTask& task);

}  // namespace suture
