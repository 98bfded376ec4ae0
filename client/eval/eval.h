#pragma once

#include <map>
#include <string>
#include <vector>

#include "client/eval/dataset.h"
#include "client/eval/progress.h"
#include "client/eval/result_file.h"
#include "client/eval/result_line.h"
#include "repair/base/cancel.h"
#include "repair/base/result.h"

namespace suture {

/// What one bug came to.
struct InstanceResult {
  ResultLine line;  ///< without instance_id
  std::vector<std::string> warnings;
};

/// Repairs one bug, whatever that takes. Thread-safe.
class InstanceRunner {
 public:
  virtual ~InstanceRunner() = default;
  /// Errors: kCancelled leaves no result line; any other becomes one with outcome INFRA_ERROR.
  virtual Result<InstanceResult> run(const Instance& instance, const CancelToken& cancel) = 0;
};

/// Which lines of an earlier run stand.
struct ResumePolicy {
  bool retry_infra = false;  ///< run again what ended as INFRA_ERROR
};

/// The instances that have no line yet.
std::vector<Instance> still_to_run(std::vector<Instance> instances,
                                   const std::vector<ResultLine>& earlier, ResumePolicy policy);

struct BatchOptions {
  int jobs = 2;       ///< bugs at once; each has one check run at a time
  std::string model;  ///< `model_name_or_path` of the lines
};

/// Runs instances, `jobs` at once, in their order; each result is in the file before it counts.
/// The lines made, by instance id. Errors: kCancelled when the token fired, kInfra when a line
/// could not be written (then the token is fired to end the others); finished lines are kept in
/// both cases.
Result<std::map<std::string, ResultLine>> run_instances(const std::vector<Instance>& instances,
                                                        const BatchOptions& options,
                                                        InstanceRunner& runner, ResultFile& file,
                                                        Progress& progress,
                                                        const CancelToken& cancel);

}  // namespace suture
