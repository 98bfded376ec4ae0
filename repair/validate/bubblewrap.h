#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/validate/executor.h"
#include "repair/validate/hidden_places.h"
#include "repair/validate/sandbox.h"

namespace suture {

/// Whether code inside may make user name spaces of its own.
enum class NestedUsers {
  kForbidden,
  kAllowed,  ///< where bwrap or the kernel cannot forbid them
};

/// Builds the command line of bwrap. Made once for a tree; each run adds what it needs.
class Bubblewrap {
 public:
  /// One run inside.
  struct Inside {
    std::filesystem::path tree_source;            ///< what shows at the tree's path, writable
    std::vector<std::filesystem::path> readable;  ///< host paths that may lie in hidden places
    std::vector<Mount> mounts;
    std::map<std::string, std::string> env;
    std::vector<std::string> command;
  };

  /// Looks for bwrap on suture's own PATH. Errors: kInfra when it is not installed.
  static Result<Bubblewrap> find(std::filesystem::path tree, const SandboxPolicy& policy);

  std::vector<std::string> command_line(const Inside& inside, NestedUsers nested) const;

 private:
  Bubblewrap(std::string program, std::filesystem::path tree, std::uint64_t tmp_bytes)
      : program_(std::move(program)), tree_(std::move(tree)), tmp_bytes_(tmp_bytes) {}
  void add_name_spaces(NestedUsers nested, std::vector<std::string>* line) const;
  void add_system(std::vector<std::string>* line) const;
  bool is_hidden_part(const std::filesystem::path& path) const;
  void add_readable(const std::filesystem::path& path, std::vector<std::string>* line) const;
  void add_tree(const std::filesystem::path& source, std::vector<std::string>* line) const;
  void add_secrets(const Inside& inside, std::vector<std::string>* line) const;

  std::string program_;
  std::filesystem::path tree_;
  std::uint64_t tmp_bytes_;
  HiddenPlaces hidden_ = find_hidden_places();
};

}  // namespace suture
