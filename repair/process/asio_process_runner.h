#pragma once

#include <memory>

#include "repair/process/process_runner.h"

namespace suture {

/// The ProcessRunner on Boost.Asio: one io_context on one thread for pipes, timers and child ends.
/// Asio's headers stay in the one .cc file.
class AsioProcessRunner final : public ProcessRunner {
 public:
  AsioProcessRunner();
  ~AsioProcessRunner() override;
  ProcessResult run(const ProcessSpec& spec, const CancelToken& cancel) override;

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace suture
