#include "repair/report/log_line.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "repair/base/text.h"

namespace suture::report {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

bool is_gutter(std::string_view text) {
  return text.find_first_not_of(" \t>|") == std::string_view::npos;
}

std::optional<std::string_view> behind_gutter(std::string_view text, std::string_view gutter) {
  if (text.starts_with(gutter)) return text.substr(gutter.size());
  std::string_view bare = gutter.substr(0, gutter.find_last_not_of(" \t") + 1);
  if (text.starts_with(bare) && is_blank(text.substr(bare.size()))) return std::string_view();
  return std::nullopt;
}

std::size_t skip_blank(Lines lines, std::size_t at, std::string_view gutter) {
  for (; at < lines.size(); ++at) {
    auto text = behind_gutter(lines[at].text, gutter);
    if (!text || !is_blank(*text)) return at;
  }
  return at;
}

bool is_rule(std::string_view text) {
  if (text.size() < 20) return false;
  char c = text[0];
  if (c != '=' && c != '-' && c != '_') return false;
  return text.substr(0, 3) == std::string(3, c) &&
         text.substr(text.size() - 3) == std::string(3, c);
}

bool is_chain_phrase(std::string_view text) {
  return text.starts_with("During handling of the above exception") ||
         text.starts_with("The above exception was the direct cause");
}

bool starts_something_else(std::string_view text) {
  static constexpr std::array<std::string_view, 15> kStarts = {"Exception ignored in",
                                                               "Exception in thread",
                                                               "Error in sys.excepthook",
                                                               "Fatal Python error:",
                                                               "Original exception was:",
                                                               "--- Logging error ---",
                                                               "terminate called",
                                                               "srun: error:",
                                                               "make: ***",
                                                               "make[",
                                                               "##[",
                                                               "Error: Process completed",
                                                               "╭─",
                                                               "$ ",
                                                               "```"};
  static const RE2 kLogRecord(
      R"((\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?[IWEFC]\d{4} \d\d:\d\d:\d\d|)"
      R"(\d\d/\d\d/\d{2,4} \d\d:\d\d|\[?(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)[\]:|]|)"
      R"((DEBUG|INFO|WARNING|CRITICAL) |(FAILED|ERROR) \S+\.py|(FAIL|ERROR): \w+ \(|!!!!!|[^\s:]+\.py:\d+: ))");
  if (text.empty() || text[0] == ' ' || text[0] == '\t') return false;
  if (is_rule(text) || is_chain_phrase(text) || text == "\"\"\"") return true;
  auto begins = [&](std::string_view start) { return text.starts_with(start); };
  if (std::any_of(kStarts.begin(), kStarts.end(), begins)) return true;
  return kLogRecord.Match(re2::StringPiece(text.data(), text.size()), 0,
                          std::min<std::size_t>(text.size(), 300), RE2::ANCHOR_START, nullptr, 0);
}

}  // namespace suture::report
