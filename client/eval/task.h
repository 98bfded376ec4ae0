#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/eval/dataset.h"
#include "repair/base/result.h"
#include "repair/job.h"

namespace suture {

/// How the bugs of one evaluation are repaired; the same for all of them.
struct EvalSetup {
  std::filesystem::path trees;    ///< absolute; the tree of a bug is trees/<instance id>
  std::filesystem::path checks;   ///< absolute; stands for {checks}; may be empty
  std::filesystem::path python;   ///< absolute; its environment (two folders up) stands for {env}
  std::filesystem::path details;  ///< absolute; folder for the whole RepairResult; empty: not kept
  Budget budget;
  PatternSelection patterns;
  double confidence_threshold = RepairRequest{}.confidence_threshold;
  RepairRequest::Search search = RepairRequest::Search::kAll;
  RepairRequest::Tiers tiers = RepairRequest::Tiers::kAll;
  /// Of one check run, instead of the data set's.
  std::optional<std::chrono::milliseconds> timeout;
  std::uint64_t check_memory_bytes = 0;  ///< that one check run may use; 0: no bound
  bool sandbox = true;
};

/// All that the process which repairs one bug is told. It is made from an Instance, which knows
/// nothing of the fix, and crosses to the process as JSON on its standard input.
struct RepairTask {
  std::filesystem::path tree;
  std::string report;
  Check check;  ///< filled in
  std::filesystem::path python;
  std::vector<std::filesystem::path> visible;  ///< folders outside the tree that the check may read
  std::filesystem::path details_file;  ///< where the RepairResult goes as JSON; may be empty
  Budget budget;
  PatternSelection patterns;
  double confidence_threshold = 0;
  RepairRequest::Search search = RepairRequest::Search::kAll;
  RepairRequest::Tiers tiers = RepairRequest::Tiers::kAll;
  std::uint64_t check_memory_bytes = 0;
  bool sandbox = true;
};

/// The task of an instance. {checks} and {env} are filled in, and `python3` in the command is the
/// interpreter of the setup.
RepairTask make_task(const Instance& instance, const EvalSetup& setup);

/// What the pipeline is asked. A report that cannot be read (an empty text) is left out: the check
/// stands for itself.
RepairRequest request_of(const RepairTask& task);

std::string write_task(const RepairTask& task);
/// Errors: kInternal, since only suture itself writes tasks.
Result<RepairTask> read_task(std::string_view text);

}  // namespace suture
