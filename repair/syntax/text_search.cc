#include "repair/syntax/text_search.h"

#include <algorithm>
#include <array>

#include "repair/base/text.h"

namespace suture {
namespace {

std::string_view line_before(std::string_view text, std::size_t line_start) {
  if (line_start == 0) return {};
  std::size_t end = line_start - 1;
  std::size_t newline = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return text.substr(start, end - start);
}

std::size_t indent_size(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// Whether a line lies in a function, told by the less and less indented lines above it. Strings
/// over several lines can mislead it: then a file is parsed in vain, or a name in a class missed.
bool seems_inside_function(std::string_view text, std::size_t line_start, std::size_t indent) {
  while (indent > 0 && line_start > 0) {
    std::string_view line = line_before(text, line_start);
    line_start = static_cast<std::size_t>(line.data() - text.data());
    std::size_t here = indent_size(line);
    std::string_view content = trim(line);
    if (content.empty() || content[0] == '#' || here >= indent) continue;
    if (content.starts_with("def ") || content.starts_with("async def ")) return true;
    if (content.starts_with("class ")) indent = here;
    // `) -> int:` ends a header that begins at the same indentation further up.
    else
      indent = std::string_view(")]}").find(content[0]) != std::string_view::npos ? here + 1 : here;
  }
  return false;
}

}  // namespace

bool may_define(std::string_view text, std::size_t at) {
  std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view before = text.substr(line_start, at - line_start);
  std::string_view keyword = trim(before);
  if (keyword == "def" || keyword == "class" || keyword == "async def" || keyword == "type") {
    return true;
  }
  bool names_only = std::all_of(before.begin(), before.end(), [](char c) {
    return is_word_byte(c) ||
           std::string_view(" \t,=([*\xEF\xBB\xBF").find(c) != std::string_view::npos;
  });
  if (!names_only) return false;
  static constexpr std::array<std::string_view, 9> kNoBinding = {
      "def", "class", "async", "from", "import", "return", "assert", "raise", "if"};
  std::string_view first_word = keyword.substr(0, keyword.find_first_of(" \t("));
  if (std::find(kNoBinding.begin(), kNoBinding.end(), first_word) != kNoBinding.end()) return false;
  return !seems_inside_function(text, line_start, indent_size(before));
}

}  // namespace suture
