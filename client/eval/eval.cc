#include "client/eval/eval.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace suture {
namespace {

InstanceResult infra_error(const Error& error) {
  InstanceResult result;
  result.line.outcome = to_string(Outcome::kInfraError);
  result.line.reason = error.display();
  return result;
}

/// One pass over the instances by several threads.
class Batch {
 public:
  Batch(const std::vector<Instance>& instances, const std::string& model, InstanceRunner& runner,
        ResultFile& file, Progress& progress, const CancelToken& cancel)
      : instances_(instances),
        model_(model),
        runner_(runner),
        file_(file),
        progress_(progress),
        cancel_(cancel) {}

  void run(int jobs) {
    std::vector<std::jthread> threads;
    auto useful = std::min(std::size_t(std::max(jobs, 1)), instances_.size());
    for (std::size_t i = 0; i < useful; ++i) threads.emplace_back([this] { work(); });
  }

  Result<std::map<std::string, ResultLine>> result() {
    if (broken_) return tl::unexpected<Error>(*broken_);
    if (next_ < instances_.size() || lines_.size() < instances_.size()) {
      return fail(ErrorKind::kCancelled, "the evaluation was interrupted");
    }
    return std::move(lines_);
  }

 private:
  void work() {
    while (!cancel_.cancelled()) {
      std::size_t mine = next_.fetch_add(1);
      if (mine >= instances_.size()) return;
      run(instances_[mine]);
    }
  }

  void run(const Instance& instance) {
    Result<InstanceResult> result = runner_.run(instance, cancel_);
    if (!result && result.error().kind == ErrorKind::kCancelled) return;
    keep(instance.id, result ? std::move(*result) : infra_error(result.error()));
  }

  void keep(const std::string& id, InstanceResult result) {
    result.line.instance_id = id;
    result.line.model_name_or_path = model_;
    if (Status written = file_.append(result.line); !written) return give_up(written.error());
    for (const std::string& warning : result.warnings) progress_.warn(id + ": " + warning);
    progress_.finished(result.line);
    std::lock_guard lock(mutex_);
    lines_[id] = std::move(result.line);
  }

  void give_up(Error error) {
    std::lock_guard lock(mutex_);
    if (!broken_) broken_ = std::move(error);
    cancel_.cancel();
  }

  const std::vector<Instance>& instances_;
  const std::string& model_;
  InstanceRunner& runner_;
  ResultFile& file_;
  Progress& progress_;
  CancelToken cancel_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::map<std::string, ResultLine> lines_;
  std::optional<Error> broken_;
};

}  // namespace

std::vector<Instance> still_to_run(std::vector<Instance> instances,
                                   const std::vector<ResultLine>& earlier, ResumePolicy policy) {
  std::set<std::string> done;
  for (const ResultLine& line : earlier) {
    bool again = policy.retry_infra && line.outcome == to_string(Outcome::kInfraError);
    if (again) {
      done.erase(line.instance_id);  // the last line of an instance is the one that counts
    } else {
      done.insert(line.instance_id);
    }
  }
  std::erase_if(instances, [&](const Instance& i) { return done.contains(i.id); });
  return instances;
}

Result<std::map<std::string, ResultLine>> run_instances(const std::vector<Instance>& instances,
                                                        const BatchOptions& options,
                                                        InstanceRunner& runner, ResultFile& file,
                                                        Progress& progress,
                                                        const CancelToken& cancel) {
  Batch batch(instances, options.model, runner, file, progress, cancel);
  batch.run(options.jobs);
  progress.close();
  return batch.result();
}

}  // namespace suture
