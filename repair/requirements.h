#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/version.h"

namespace suture {

/// What a repository says that it needs of a distribution.
struct Requirement {
  std::string name;  ///< as written
  VersionSpecifier allowed;
  std::string file;  ///< relative to the tree
  int line = 0;
};

/// A distribution's name as package indexes compare it: "Foo_Bar" is "foo-bar".
std::string normalised_name(std::string_view name);

/// The requirements in a tree's own files: requirements*.txt (at the root and in requirements/),
/// setup.cfg, the `[project]` of pyproject.toml, and the texts in the `install_requires` of
/// setup.py. In that order, by file and line. What has an environment marker is left out (whether
/// it holds is not known here), so are extras, URLs, other index options and what cannot be read.
/// Nothing is executed; links are not followed.
std::vector<Requirement> declared_requirements(const std::filesystem::path& tree);

}  // namespace suture
