#include "repair/refute/edited_file.h"

#include <algorithm>

namespace suture {
namespace {

/// Edits in the order of the text, each once (see apply_edits).
std::vector<Edit> in_order(std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.range < b.range; });
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
  return edits;
}

std::vector<Range> ranges_after(const std::vector<Edit>& edits) {
  std::vector<Range> ranges;
  std::int64_t shift = 0;
  for (const Edit& edit : edits) {
    auto start = std::uint32_t(edit.range.start + shift);
    auto size = std::uint32_t(edit.text.size());
    ranges.push_back({start, start + size});
    shift += std::int64_t(size) - edit.range.size();
  }
  return ranges;
}

}  // namespace

bool EditedFile::touches(Node node) const {
  Range range = node.range();
  return std::ranges::any_of(written, [&](const Range& each) {
    return each.start <= range.end && range.start <= each.end;
  });
}

EditedTree::EditedTree(SourceTree& tree, const std::map<std::string, std::vector<Edit>>& edits,
                       std::map<std::string, std::unique_ptr<SourceFile>> after)
    : tree_(tree) {
  for (auto& [path, parsed] : after) {
    const SourceFile* before = tree.source(path);
    auto made = edits.find(path);
    if (before == nullptr || before->language() != Language::kPython || made == edits.end())
      continue;
    EditedFile& file = edited_[path];
    file.before = before;
    file.after = std::move(parsed);
    file.edits = in_order(made->second);
    file.written = ranges_after(file.edits);
  }
}

const SourceFile* EditedTree::source(std::string_view path) const {
  auto found = edited_.find(std::string(path));
  return found == edited_.end() ? tree_.source(path) : found->second.after.get();
}

}  // namespace suture
