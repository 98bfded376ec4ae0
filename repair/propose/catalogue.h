#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/pattern.h"

namespace suture {

/// The patterns in use, sorted by id.
class Catalogue {
 public:
  /// Reads every *.yaml below the folders (facts/ and other data left out). Errors: the first bad
  /// file with file:line:column, or two patterns with one id.
  static Result<Catalogue> load(const std::vector<std::filesystem::path>& folders);
  /// The same for the patterns with a `scan` alone. The others are not even parsed: their mistakes
  /// do not show.
  static Result<Catalogue> load_static(const std::vector<std::filesystem::path>& folders);
  static Catalogue of(std::vector<Pattern> patterns);

  /// Keeps the patterns whose id or family is in `only` (empty: all) and not in `exclude`.
  /// Errors: kUsage for a word that is neither, naming the nearest one that is.
  Status select(const std::vector<std::string>& only, const std::vector<std::string>& exclude);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const Pattern* find(std::string_view id) const;

 private:
  static Result<Catalogue> load_where(const std::vector<std::filesystem::path>& folders,
                                      bool (*wanted)(std::string_view yaml));
  std::vector<Pattern> patterns_;
};

}  // namespace suture
