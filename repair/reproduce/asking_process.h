#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/process/line_pipe.h"
#include "repair/validate/guest_package.h"

namespace suture {

/// A Python process in the sandbox that answers questions about installed packages (probe/
/// suture_probe/ask.py says which), one after another: a package is imported once for all of them.
class AskingProcess {
 public:
  /// Starts it. `own_names`: import names that are out of bounds. The executor must outlive it.
  AskingProcess(Executor& executor, std::string interpreter, std::map<std::string, std::string> env,
                std::vector<std::string> own_names);
  ~AskingProcess();
  AskingProcess(const AskingProcess&) = delete;
  AskingProcess& operator=(const AskingProcess&) = delete;

  /// The answer to a question, both as JSON. Nothing when the process ended, or takes more than a
  /// minute, or the caller wants no more: it can answer nothing then.
  std::optional<std::string> ask(const std::string& question, const CancelToken& cancel);

 private:
  void run(Executor& executor, std::string interpreter, std::map<std::string, std::string> env,
           const std::vector<std::string>& own_names);

  std::optional<GuestPackage> package_;
  std::optional<LinePipe> questions_, answers_;
  CancelToken stop_;
  std::atomic<bool> over_ = false;
  std::thread process_;
};

}  // namespace suture
