#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "repair/refute/edited_file.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// Refutes changes that use names which nothing binds. Not refuted: names that the file used in
/// this way before, files that import `*` or reach into their name space (`globals()`, `exec`),
/// annotations that are not evaluated, and uses that expect a NameError. Not thread-safe.
class NameRule {
 public:
  explicit NameRule(SourceTree& tree) : tree_(tree) {}

  /// Why the file's change cannot be right.
  std::optional<std::string> refute(const EditedFile& file);

 private:
  /// What a file of the tree says of its names.
  struct FileNames {
    bool unknowable = false;
    bool late_annotations = false;  ///< `from __future__ import annotations`
    std::set<std::string, std::less<>> unresolved;
    std::set<std::string, std::less<>> of_module;  ///< bound at module level
    bool knows(std::string_view name) const;
  };
  const FileNames& names_of(const SourceFile& file);
  bool is_put_into_builtins(const std::string& name);

  SourceTree& tree_;
  std::map<std::string, FileNames> files_;
  std::map<std::string, bool> put_into_builtins_;
};

}  // namespace suture
