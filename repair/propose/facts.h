#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"

namespace suture {

/// Something that a library moved, renamed or removed. Paths are dotted and whole:
/// "collections.Mapping" -> "collections.abc.Mapping"; builtins are "builtins.float".
struct ApiMove {
  std::string library;  ///< import name, or "python" for the standard library
  std::string old_path, new_path;
  std::string since;  ///< version of the library where the new path is the right one
  std::string kind;   ///< moved (the old one is gone or deprecated), renamed, removed (the new one
                      ///< replaces it)
};

/// Facts about libraries, as patterns/facts/*.yaml tell them.
class Facts {
 public:
  /// Reads every *.yaml of the folder. Errors: kBadInput with file, line, column and a hint.
  static Result<std::shared_ptr<const Facts>> load(const std::filesystem::path& folder);
  /// The facts beside a pattern file: `facts/` in its folder or the two above; none: no facts.
  static Result<std::shared_ptr<const Facts>> beside(const std::filesystem::path& pattern_file);

  const std::vector<ApiMove>& moves() const { return moves_; }
  /// Moves of exactly that path.
  std::vector<const ApiMove*> of(std::string_view path) const;
  /// Moves of what lies in that module or class.
  std::vector<const ApiMove*> below(std::string_view path) const;
  /// Whether the last part of some old path is that name: a cheap test before asking for the path.
  bool knows(std::string_view name) const { return names_.contains(name); }

 private:
  std::vector<ApiMove> moves_;                ///< sorted by old path
  std::set<std::string, std::less<>> names_;  ///< last parts of the old paths
};

}  // namespace suture
