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
  /// Reads every *.yaml below the folders (facts/ and ranking.yaml left out). Errors: the first bad
  /// file with file:line:column, or two patterns with one id.
  static Result<Catalogue> load(const std::vector<std::filesystem::path>& folders);
  static Catalogue of(std::vector<Pattern> patterns);

  /// Keeps the patterns whose id or family is in `only` (empty: all) and not in `exclude`.
  /// Errors: kUsage for a word that is neither, naming the nearest one that is.
  Status select(const std::vector<std::string>& only, const std::vector<std::string>& exclude);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const Pattern* find(std::string_view id) const;

 private:
  std::vector<Pattern> patterns_;
};

}  // namespace suture
