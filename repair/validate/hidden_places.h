#pragma once

#include <filesystem>
#include <vector>

namespace suture {

/// What of the machine's files a check must not see.
struct HiddenPlaces {
  std::vector<std::filesystem::path> scratch;   ///< replaced by a private, writable folder
  std::vector<std::filesystem::path> folders;   ///< replaced by an empty folder
  std::vector<std::filesystem::path> files;     ///< made unreadable
  std::vector<std::filesystem::path> settings;  ///< parts of /proc that are made read-only

  /// The hidden folder that `path` is or lies in; nullptr for none.
  const std::filesystem::path* above(const std::filesystem::path& path) const;
};

/// Scratch: /tmp, /var/tmp, /dev/shm. Folders: /run, /home, /root, $HOME. Started by root, the
/// check has root's files in reach although it has no capabilities; then everything is added that
/// an ordinary user could not read in the places where systems keep keys, logs and state, and what
/// root may write in /proc: bwrap leaves /proc/sys/kernel/core_pattern writable to a check of root.
HiddenPlaces find_hidden_places();

/// Files and folders with keys and tokens beneath a home folder: ".ssh", ".netrc", ".config/gh" ...
const std::vector<std::filesystem::path>& secrets_of_a_home();

/// Whether `path` is `folder` or lies beneath it; both absolute and normal.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace suture
