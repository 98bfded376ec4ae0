#pragma once

#include <filesystem>
#include <string>

namespace suture {

/// What a folder holds, as digests. Left out: `.git` and what interpreters and test runners keep
/// for themselves (`__pycache__`, `.pytest_cache` and the like); links are told by where they point
/// to.
struct TreeState {
  /// Paths, permissions to execute, and contents. Very large files, environments of Python, and
  /// whatever comes after half a gigabyte, are told by size and times instead.
  std::string contents;
  /// Paths, sizes and times alone, a tenth of the work: equal ones mean that nothing has been
  /// written since.
  std::string stamps;
};

TreeState tree_state(const std::filesystem::path& root);
std::string tree_stamps(const std::filesystem::path& root);

/// Size, times and number of what a path leads to; "missing" for nothing.
std::string file_stamp(const std::filesystem::path& path);

}  // namespace suture
