#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "repair/base/file.h"
#include "repair/process/asio_process_runner.h"
#include "repair/validate/local_executor.h"
#include "tests/support/shell.h"

namespace suture::testing {

/// A small tree under /tmp and an executor over it.
class ExecutorFixture : public ::testing::Test {
 protected:
  ExecutorFixture() : folder_(TemporaryFolder::make("suture-test-").value()) {
    tree_ = folder_.path() / "work" / "tree";
    write(tree_ / "package" / "module.txt", "old\n");
    write(tree_ / "run.sh", "#!/bin/sh\necho ran the old one\n");
    std::filesystem::permissions(tree_ / "run.sh", std::filesystem::perms(0755));
    options_.tree = tree_;
    options_.environment = base_environment("/usr/bin/python3", {});
    options_.policy.limits.memory_bytes = 1ull << 30;
    options_.policy.limits.processes = 500;
    options_.policy.limits.output_bytes = 100'000;
  }

  Executor& executor() {
    if (executor_ == nullptr) executor_ = make();
    return *executor_;
  }
  virtual std::unique_ptr<Executor> make() { return make_sandboxed_executor(options_, runner_); }

  CheckRun run(const RunRequest& request) { return executor().run(request, CancelToken()); }

  CheckRun sh(const std::string& line, FileContents files = {}) {
    check_.command = {"sh", "-c", line};
    RunRequest request;
    request.check = &check_;
    request.files = std::move(files);
    return run(request);
  }

  TemporaryFolder folder_;
  std::filesystem::path tree_;
  AsioProcessRunner runner_;
  LocalExecutorOptions options_;
  std::unique_ptr<Executor> executor_;
  Check check_;
};

}  // namespace suture::testing
