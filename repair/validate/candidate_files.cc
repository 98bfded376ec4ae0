#include "repair/validate/candidate_files.h"

#include <fmt/format.h>

#include <system_error>

namespace suture {
namespace fs = std::filesystem;
namespace {

Result<fs::path> without_links(const fs::path& tree, const std::string& name) {
  std::error_code error;
  fs::path root = fs::canonical(tree, error);
  if (error) return fail(ErrorKind::kInfra, fmt::format("{}: {}", tree.string(), error.message()));
  fs::path relative = fs::weakly_canonical(root / name, error).lexically_relative(root);
  bool outside = relative.empty() || relative == "." || *relative.begin() == "..";
  if (error || outside || fs::path(name).is_absolute() || name.find('\0') != std::string::npos) {
    return fail(ErrorKind::kBadInput, fmt::format("'{}' is not a file of the tree", name));
  }
  return relative;
}

}  // namespace

Result<std::string> pack_files(const fs::path& tree, const FileContents& files) {
  std::string pack;
  for (const auto& [name, content] : files) {
    TRY(fs::path path, without_links(tree, name));
    pack += path.string();
    pack += '\0';
    pack += std::to_string(content.size());
    pack += '\0';
    pack += content;
  }
  return pack;
}

}  // namespace suture
