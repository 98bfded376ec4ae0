#include "repair/report/clean_text.h"

#include <algorithm>
#include <cstddef>

#include "repair/base/text.h"

namespace suture::report {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kBell = '\x07';
// Longer than any real sequence; a stray introducer must not swallow the text behind it.
constexpr std::size_t kMaxSequence = 256;

/// The length of the escape sequence at the start of `text`, whose first byte is ESC.
std::size_t sequence_length(std::string_view text) {
  std::string_view body = text.substr(0, kMaxSequence);
  if (body.size() < 2) return body.size();
  if (body[1] == '[') {  // CSI: parameters, then one final byte
    for (std::size_t i = 2; i < body.size(); ++i) {
      if (body[i] >= 0x40 && body[i] <= 0x7e) return i + 1;
      if (body[i] < 0x20 || body[i] > 0x3f) return i;
    }
    return 2;
  }
  if (body[1] == ']') {  // OSC: up to BEL or ESC "\"
    for (std::size_t i = 2; i < body.size(); ++i) {
      if (body[i] == kBell) return i + 1;
      if (body[i] == kEscape) return std::min(i + 2, text.size());
      if (body[i] == '\n') return i;
    }
    return 2;
  }
  bool is_printable = body[1] >= 0x20 && body[1] <= 0x7e;
  return is_printable ? 2 : 1;
}

bool is_control(char c) { return c == kEscape || c == '\r' || c == '\0'; }

std::string without_controls(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t stop = at;
    while (stop < text.size() && !is_control(text[stop])) ++stop;
    clean.append(text.substr(at, stop - at));
    if (stop == text.size()) break;
    at = stop;
    if (text[at] == kEscape) {
      at += sequence_length(text.substr(at));
    } else if (text[at] == '\r') {
      ++at;
      if (at == text.size() || text[at] != '\n') clean += '\n';
    } else {
      ++at;
    }
  }
  return clean;
}

}  // namespace

std::string clean_text(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return to_valid_utf8(without_controls(text));
}

}  // namespace suture::report
