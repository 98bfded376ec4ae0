#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "repair/base/result.h"

namespace suture {

/// The whole content of a regular file. Errors: kNotFound when there is none, kBadInput when it is
/// a folder or larger than `limit` bytes, kInfra when reading fails.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit = 64 << 20);

/// Writes atomically: a temporary file beside the target (same permissions as an existing target),
/// fsync, rename. The old content stays when anything fails. Errors: kInfra (disk full, read-only).
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// A private folder that is removed, with all in it, when the object goes.
class TemporaryFolder {
 public:
  /// Makes a fresh folder "<prefix>XXXXXX" under $TMPDIR or /tmp. Errors: kInfra.
  static Result<TemporaryFolder> make(std::string_view prefix = "suture-");
  /// The same with a name that shows: the folder "<prefix><name>", or a fresh one as above where
  /// somebody else has it at the moment.
  static Result<TemporaryFolder> make(std::string_view prefix, std::string_view name);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// The folder that holds patterns/, probe/, warm/ and the like: `share/suture` beside the running
/// binary's `bin`, else the source tree that the binary was built from. $SUTURE_SHARE overrides
/// both.
std::filesystem::path share_folder(std::string_view name);

}  // namespace suture
