#include "repair/propose/silencing.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "repair/base/digest.h"
#include "repair/base/text.h"

namespace suture {
namespace {

/// The whole lines that a file's edits touch, before and after.
struct ChangedLines {
  std::string path;
  std::uint32_t start = 0;
  std::string before, after;
};

std::optional<ChangedLines> changed_lines(const std::string& path, std::vector<Edit> edits,
                                          SourceTree& tree) {
  std::string_view text = tree.bytes(path);
  if (edits.empty()) return std::nullopt;
  Range span = edits.front().range;
  for (const Edit& edit : edits) {
    span = {std::min(span.start, edit.range.start), std::max(span.end, edit.range.end)};
  }
  if (span.end > text.size()) return std::nullopt;
  std::size_t start = span.start == 0 ? 0 : text.rfind('\n', span.start - 1) + 1;  // npos + 1 is 0
  std::size_t end = std::min(text.find('\n', span.end), text.size());
  for (Edit& edit : edits) {
    edit.range.start -= std::uint32_t(start);
    edit.range.end -= std::uint32_t(start);
  }
  std::string before(text.substr(start, end - start));
  auto after = apply_edits(before, std::move(edits));
  if (!after) return std::nullopt;
  return ChangedLines{path, std::uint32_t(start), std::move(before), std::move(*after)};
}

std::vector<std::string> bare_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : split_lines(text)) {
    std::string bare;
    for (char c : line) {
      if (c != ' ' && c != '\t' && c != '\r') bare += c;
    }
    if (!bare.empty()) lines.push_back(std::move(bare));
  }
  return lines;
}

/// Lines of `now` that are not in `then`, counting repeats.
std::vector<std::string> added_lines(const std::vector<std::string>& then,
                                     const std::vector<std::string>& now) {
  std::multiset<std::string> old(then.begin(), then.end());
  std::vector<std::string> added;
  for (const std::string& line : now) {
    if (auto at = old.find(line); at != old.end())
      old.erase(at);
    else
      added.push_back(line);
  }
  return added;
}

}  // namespace

Silencing judge_silencing(const Candidate& candidate, SourceTree& tree) {
  static const re2::RE2 mute(
      R"((pass|continue|break|return(None)?;?|try:|except.*:|finally:|if(False|0|notTrue):|#.*|//.*))");
  bool skips = false, swallows = false;
  for (const auto& [path, edits] : candidate.edits) {
    auto changed = changed_lines(path, edits, tree);
    if (!changed) return Silencing::kNo;
    for (const std::string& line :
         added_lines(bare_lines(changed->before), bare_lines(changed->after))) {
      if (!re2::RE2::FullMatch(line, mute)) return Silencing::kNo;
      swallows |= line.starts_with("except") || line.starts_with("try");
      skips |= line.starts_with("return") || line == "continue" || line == "break" ||
               line.starts_with("if");
    }
  }
  return swallows ? Silencing::kSwallows : skips ? Silencing::kSkips : Silencing::kDeletes;
}

std::optional<std::string> normalised_digest(const TreeEdits& edits, SourceTree& tree) {
  std::string text;
  bool differs = false;
  for (const auto& [path, file_edits] : edits) {
    auto changed = changed_lines(path, file_edits, tree);
    if (!changed) return std::nullopt;
    // Indentation means something; other white space does not.
    auto normal = [](std::string_view lines) {
      std::string result;
      for (std::string_view line : split_lines(lines)) {
        if (trim(line).empty()) continue;
        std::size_t indent = std::size_t(trim(line).data() - line.data());
        result += fmt::format("{}\t", indent);
        for (char c : trim(line)) {
          if (c != ' ' && c != '\t') result += c;
        }
        result += '\n';
      }
      return result;
    };
    std::string before = normal(changed->before), after = normal(changed->after);
    differs |= before != after;
    // Common lines at both ends do not count, so that wider and narrower edits with one effect are
    // one.
    auto old_lines = split_lines(before), new_lines = split_lines(after);
    std::size_t head = 0;
    while (head < old_lines.size() && head < new_lines.size() && old_lines[head] == new_lines[head])
      ++head;
    std::size_t tail = 0;
    while (tail + head < old_lines.size() && tail + head < new_lines.size() &&
           old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail]) {
      ++tail;
    }
    std::size_t lines_before = std::size_t(
        std::count(tree.bytes(path).begin(), tree.bytes(path).begin() + changed->start, '\n'));
    text += fmt::format("{}@{}\n-", path, lines_before + head);
    for (std::size_t i = head; i + tail < old_lines.size(); ++i)
      text += fmt::format("{}\n", old_lines[i]);
    text += '+';
    for (std::size_t i = head; i + tail < new_lines.size(); ++i)
      text += fmt::format("{}\n", new_lines[i]);
  }
  if (!differs) return std::nullopt;
  return sha256(text);
}

}  // namespace suture
