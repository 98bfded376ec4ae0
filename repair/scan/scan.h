#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/propose/findings.h"
#include "repair/scan/source_set.h"
#include "repair/vcs/diff.h"

namespace suture {

/// A file, or a part of one, that could not be scanned.
struct ScanWarning {
  std::string file, message;
  int line = 0;  ///< 0: the whole file
};

/// What a scan showed. Files are called as their ScanSource is shown; the order is that of the
/// sources, within a file that of the places.
struct ScanResult {
  std::vector<Finding> findings;
  std::vector<Finding> repaired;  ///< by the always-safe fixes in `changes`
  std::vector<ScanWarning> warnings;
  std::size_t files = 0;  ///< that were scanned

  /// Changes that are to be written, by the folder that their paths are relative to.
  struct Changes {
    std::filesystem::path folder;
    std::vector<FileChange> files;
  };
  std::vector<Changes> changes;
};

/// How to scan.
struct ScanPlan {
  std::size_t jobs = 1;  ///< threads
  enum class Fixes {
    kNone,
    kSafe,  ///< make the always-safe ones; nothing is written
  } fixes = Fixes::kNone;
  /// Called now and then, from one thread at a time, with the number of files done.
  std::function<void(std::size_t)> progress = [](std::size_t) {};
};

/// Scans files side by side; the result does not depend on how many. Files that cannot be read give
/// a warning. Errors: kCancelled.
Result<ScanResult> scan(const std::vector<ScanSource>& sources, const StaticPatterns& patterns,
                        const ScanPlan& plan, const CancelToken& cancel);

}  // namespace suture
