#include "repair/locate/frames.h"

#include <algorithm>
#include <filesystem>

#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::string_view kInstalled[] = {"site-packages/", "dist-packages/"};
/// A single file name says too little: "utils.py" exists everywhere.
constexpr std::size_t kLeastMatchedParts = 2;

std::optional<std::string> relative_to_root(const SourceTree& tree, std::string_view printed) {
  if (tree.root().empty()) return std::nullopt;
  const std::string root = tree.root().lexically_normal().generic_string();
  const std::string path = std::filesystem::path(printed).lexically_normal().generic_string();
  if (!path.starts_with(root)) return std::nullopt;
  std::string_view rest = std::string_view(path).substr(root.size());
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return tree.has(rest) ? std::optional<std::string>(rest) : std::nullopt;
}

std::optional<std::string> in_tree_or_src(const SourceTree& tree, std::string_view path) {
  if (tree.has(path)) return std::string(path);
  const std::string below_src = "src/" + std::string(path);
  if (tree.has(below_src)) return below_src;
  return std::nullopt;
}

/// The longest ending of the path that the tree has.
std::optional<std::string> by_suffix(const SourceTree& tree, std::string_view path) {
  auto parts = std::count(path.begin(), path.end(), '/') + 1;
  while (parts >= std::ptrdiff_t(kLeastMatchedParts)) {
    if (auto found = in_tree_or_src(tree, path)) return found;
    path.remove_prefix(path.find('/') + 1);
    --parts;
  }
  return std::nullopt;
}

template <class AnyFrame>
std::vector<TreeFrame> collect(const SourceTree& tree, const std::vector<AnyFrame>& frames,
                               std::optional<TreeFrame> (*convert)(const SourceTree&,
                                                                   const AnyFrame&)) {
  std::vector<TreeFrame> found;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    auto converted = convert(tree, *frame);
    if (!converted || is_test_path(converted->file)) continue;
    converted->distance = int(found.size());
    found.push_back(std::move(*converted));
  }
  return found;
}

}  // namespace

bool is_test_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (name == "conftest.py" || (name.starts_with("test_") && name.ends_with(".py")) ||
      name.ends_with("_test.py")) {
    return true;
  }
  if (slash == std::string_view::npos) return false;
  const auto folders = split(path.substr(0, slash), '/');
  return std::any_of(folders.begin(), folders.end(), [](const std::string& folder) {
    return folder == "tests" || folder == "test";
  });
}

std::optional<std::string> tree_path(const SourceTree& tree, std::string_view printed) {
  while (printed.starts_with("./")) printed.remove_prefix(2);
  if (printed.empty() || printed.starts_with('<')) return std::nullopt;
  if (tree.has(printed)) return std::string(printed);
  if (auto inside = relative_to_root(tree, printed)) return inside;
  for (const std::string_view installed : kInstalled) {
    const std::size_t at = printed.rfind(installed);
    if (at != std::string_view::npos) {
      return in_tree_or_src(tree, printed.substr(at + installed.size()));
    }
  }
  return by_suffix(tree, printed);
}

std::vector<TreeFrame> tree_frames(const SourceTree& tree, const std::vector<LiveFrame>& frames) {
  return collect<LiveFrame>(
      tree, frames, [](const SourceTree&, const LiveFrame& frame) -> std::optional<TreeFrame> {
        if (!frame.in_tree || frame.in_check) return std::nullopt;
        return TreeFrame{frame.file, frame.at.line, frame.qualname, &frame, 0};
      });
}

std::vector<TreeFrame> tree_frames(const SourceTree& tree, const std::vector<Frame>& frames) {
  return collect<Frame>(
      tree, frames, [](const SourceTree& in, const Frame& frame) -> std::optional<TreeFrame> {
        auto path = tree_path(in, frame.file);
        if (!path) return std::nullopt;
        return TreeFrame{std::move(*path), frame.line, frame.function, nullptr, 0};
      });
}

std::vector<TreeFrame> failure_frames(const SourceTree& tree, const Failure& failure,
                                      const Evidence& evidence) {
  std::vector<TreeFrame> found;
  // The file of a SyntaxError has no frame of its own; only the text names it.
  if (failure.kind != FailureKind::kSyntax && evidence.failure() != nullptr) {
    found = tree_frames(tree, evidence.failure()->frames);
  }
  return found.empty() ? tree_frames(tree, failure.frames) : found;
}

}  // namespace suture
