#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/process/process_runner.h"
#include "repair/process/shared_file.h"
#include "repair/validate/executor.h"

namespace suture {

/// How a run gets a tree of its own.
enum class Layer {
  kOverlay,  ///< an overlay over the tree at its own path, seen by this run only
  kCopy,     ///< `tree` is a private copy already
};

/// What the program behind the launcher is.
enum class Start {
  kSandbox,  ///< bwrap
  kDirect,   ///< the check itself
};

/// One start through the launcher (launcher/main.cc).
struct LaunchJob {
  Layer layer = Layer::kOverlay;
  Start start = Start::kSandbox;
  std::filesystem::path tree;
  std::uint64_t overlay_bytes = 0;
  std::string files;  ///< see pack_files
  std::vector<std::string> program;
  std::map<std::string, std::string> env;
  std::string cwd;
  ProcessLimits limits;
};

/// What the launcher and bwrap reported, beside how the process ended.
struct LaunchResult {
  ProcessResult process;
  std::optional<int> exit_code;  ///< of the check; without it the check never ran to an end
  bool overlay_failed = false;   ///< the machine has no overlay for us
  std::string error;             ///< what failed before the check was started
};

/// The launcher program, kept in memory. Thread-safe.
class Launcher {
 public:
  /// Errors: kInfra.
  static Result<Launcher> make();
  LaunchResult run(const LaunchJob& job, ProcessRunner& runner, const CancelToken& cancel) const;

 private:
  explicit Launcher(SharedFile image) : image_(std::move(image)) {}
  SharedFile image_;
};

}  // namespace suture
