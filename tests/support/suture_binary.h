#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "repair/base/file.h"

namespace suture::testing {

/// How to start the suture binary.
struct BinaryOptions {
  std::string input;                       ///< on standard input
  std::map<std::string, std::string> env;  ///< on top of this process's; an empty value unsets
  std::vector<std::string> wrapper;        ///< words in front, for example {"unshare", "-m", ...}
  std::filesystem::path folder = "/";      ///< to start it in
  std::chrono::seconds patience{240};      ///< then it is killed, and the test fails
  /// Called about every 20 ms while it runs, with its process id.
  std::function<void(int pid)> meanwhile;
};

struct BinaryRun {
  int status = -1;  ///< exit code; 128 + signal where it was killed
  std::string out, err;
  double seconds = 0;
};

/// Runs the binary of this build to its end, with an empty cache unless XDG_CACHE_HOME is set.
BinaryRun run_suture(const std::vector<std::string>& arguments, const BinaryOptions& options = {});

/// Everything below a folder, one line a file: kind, mode, size, time of change in nanoseconds,
/// link target or SHA-256. Equal texts: nothing was touched.
std::string state_of(const std::filesystem::path& folder);

/// Processes whose command line holds the text.
std::vector<int> processes_with(const std::string& text);

/// A small tree with a bug that suture can repair, the check that shows it, and a TMPDIR of its own
/// for the run.
class BrokenTree {
 public:
  BrokenTree();

  std::filesystem::path tree() const { return folder_.path() / "tree"; }
  std::filesystem::path tmp() const { return folder_.path() / "tmp"; }
  /// Anything else that a test needs.
  std::filesystem::path beside() const { return folder_.path() / "beside"; }
  void write(const std::string& path, std::string_view content) const;
  std::string read(const std::string& path) const;

  /// `suture repair --repo TREE --check "python check.py" ARGUMENTS...`
  BinaryRun repair(const std::vector<std::string>& arguments = {},
                   BinaryOptions options = {}) const;
  /// The same without the check.
  BinaryRun repair_without_check(const std::vector<std::string>& arguments,
                                 BinaryOptions options = {}) const;

 private:
  TemporaryFolder folder_;
};

}  // namespace suture::testing
