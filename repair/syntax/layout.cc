#include "repair/syntax/layout.h"

#include "repair/base/text.h"

namespace suture {

bool first_on_line(const SourceFile& file, std::uint32_t byte) {
  std::string_view indent = file.indentation_at(byte);
  return indent.data() + indent.size() == file.text().data() + byte;
}

bool rest_is_blank(const SourceFile& file, std::uint32_t byte) {
  std::uint32_t end = file.line_content_end(file.line_of(byte));
  std::string_view rest = trim(file.text().substr(byte, end - byte));
  return rest.empty() || rest.starts_with('#') || rest.starts_with("//");
}

bool line_ends_between(const SourceFile& file, std::uint32_t from, std::uint32_t to) {
  std::string_view between = file.text().substr(from, to - from);
  for (std::size_t i = 0; i < between.size(); ++i) {
    if (between[i] == '#' || between[i] == '\n') return true;
    if (between[i] == '\\') i += between.substr(i + 1).starts_with("\r\n") ? 2 : 1;
  }
  return false;
}

std::string without_blanks(std::string_view code) {
  std::string result;
  for (char c : code) {
    if (std::string_view(" \t\r\n\\").find(c) == std::string_view::npos) result += c;
  }
  return result;
}

}  // namespace suture
