#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "repair/base/result.h"

namespace suture {

/// What git leaves alone: the rules of all .gitignore files, of .git/info/exclude and of the user.
/// Not thread-safe.
class IgnoreRules {
 public:
  /// The rules that hold below a folder; none where it belongs to no repository, or is ignored
  /// itself (then somebody who names it means what is in it). Errors: kInfra when there is a
  /// repository that cannot be read.
  static Result<IgnoreRules> of(const std::filesystem::path& folder);
  IgnoreRules(IgnoreRules&&) noexcept;
  IgnoreRules& operator=(IgnoreRules&&) noexcept;
  ~IgnoreRules();

  /// Whether git ignores a file below the folder; `path` is relative to the folder. Tracked or not
  /// makes no difference.
  bool ignore(const std::string& path) const;

 private:
  struct State;
  explicit IgnoreRules(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace suture
