#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/findings.h"

namespace suture {

/// A file to scan.
struct ScanSource {
  std::filesystem::path folder;  ///< the one that the user named, or that holds the file named
  std::string path;              ///< relative to it
  std::string shown;             ///< as people see it: beginning with what the user wrote
};

/// The files that are meant: a file that is named is always one; of a folder those in a language
/// that the patterns cover, sorted, without what git ignores, hidden folders, caches, build
/// products, environments and other people's code (third_party, vendor ...). Each file once.
/// Errors: kNotFound for a path that does not exist, kInfra for an unreadable repository.
Result<std::vector<ScanSource>> sources_to_scan(const std::vector<std::filesystem::path>& paths,
                                                const StaticPatterns& patterns);

}  // namespace suture
