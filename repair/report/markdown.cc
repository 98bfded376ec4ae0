#include "repair/report/markdown.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "repair/base/text.h"

namespace suture::report {
namespace {

/// A line of three or more backticks or tildes.
struct FenceLine {
  char mark = 0;
  std::size_t length = 0;
  std::string_view info;
};

std::optional<FenceLine> parse_fence(std::string_view text) {
  std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  text = trim(text);
  if (!text.starts_with("```") && !text.starts_with("~~~")) return std::nullopt;
  FenceLine fence{text[0], std::min(text.find_first_not_of(text[0]), text.size()), {}};
  fence.info = trim(text.substr(fence.length));
  // "```x```" is inline code. Tildes further in mark columns of a traceback's line ("    ~~~~^^^").
  if (fence.info.find('`') != std::string_view::npos) return std::nullopt;
  if (fence.mark == '~' && (indent > 3 || fence.info.find('^') != fence.info.npos)) {
    return std::nullopt;
  }
  return fence;
}

bool closes(const FenceLine& fence, const FenceLine& open) {
  return fence.mark == open.mark && fence.length >= open.length && fence.info.empty();
}

std::string language_of(std::string_view info) {
  std::string word(info.substr(0, info.find_first_of(" \t,{}")));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

}  // namespace

std::vector<Fence> find_fences(const std::vector<LogLine>& lines) {
  std::vector<Fence> fences;
  std::optional<FenceLine> open;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto fence = parse_fence(lines[i].text);
    if (!fence) continue;
    if (!open) {
      open = fence;
      fences.push_back({language_of(fence->info), i + 1, lines.size()});
    } else if (closes(*fence, *open)) {
      fences.back().last = i;
      open.reset();
    }
  }
  return fences;
}

}  // namespace suture::report
