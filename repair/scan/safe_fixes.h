#pragma once

#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/findings.h"

namespace suture {

/// A file after its always-safe fixes were made.
struct SafelyFixed {
  std::string text;
  std::vector<Finding> made;  ///< what was wrong; places as they were at that moment
  FileFindings left;          ///< what a scan of the new text shows
};

/// Makes every fix that is safe to make unread. Fixes that overlap are made one after another;
/// one that would leave code that does not parse is not made. Errors: as StaticPatterns::in().
Result<SafelyFixed> fix_safely(const StaticPatterns& patterns, const std::string& path,
                               std::string text);

}  // namespace suture
