#include "repair/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <set>

namespace suture {
namespace {

bool is_word_byte(char c) {
  auto u = static_cast<unsigned char>(c);
  return std::isalnum(u) || c == '_' || u >= 0x80;
}

/// Length of the valid UTF-8 sequence at the start of `s`, 0 when there is none.
std::size_t utf8_length(std::string_view s) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  if (s.empty()) return 0;
  unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  std::size_t length = lead >= 0xF0 && lead <= 0xF4   ? 4
                       : lead >= 0xE0 && lead < 0xF0  ? 3
                       : lead >= 0xC2 && lead <= 0xDF ? 2
                                                      : 0;
  if (length == 0 || s.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  unsigned char second = byte(1);
  if (lead == 0xE0 && second < 0xA0) return 0;  // overlong
  if (lead == 0xED && second > 0x9F) return 0;  // surrogate
  if (lead == 0xF0 && second < 0x90) return 0;  // overlong
  if (lead == 0xF4 && second > 0x8F) return 0;  // beyond U+10FFFF
  return length;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
  auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
  return std::all_of(text.begin(), text.end(), is_word_byte);
}

bool mentions_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    bool starts = at == 0 || !is_word_byte(text[at - 1]);
    std::size_t end = at + word.size();
    if (starts && (end == text.size() || !is_word_byte(text[end]))) return true;
  }
  return false;
}

std::vector<std::string_view> identifiers(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_byte(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    if (is_identifier(word)) found.push_back(word);
    at = end;
  }
  return found;
}

std::vector<std::string> word_parts(std::string_view identifier) {
  std::vector<std::string> parts;
  std::string part;
  auto flush = [&] {
    if (!part.empty()) parts.push_back(std::move(part));
    part.clear();
  };
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    auto c = static_cast<unsigned char>(identifier[i]);
    if (c == '_') {
      flush();
      continue;
    }
    bool after_lower =
        i > 0 && std::islower(static_cast<unsigned char>(identifier[i - 1])) && std::isupper(c);
    if (after_lower) flush();
    part += static_cast<char>(std::tolower(c));
  }
  flush();
  return parts;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

LetterBag::LetterBag(std::string_view text) : size_(text.size()) {
  for (char c : text) ++counts_[static_cast<unsigned char>(c)];
}

double LetterBag::likeness_bound(std::string_view other) const {
  std::array<std::uint16_t, 256> left = counts_;
  std::size_t shared = 0;
  for (char c : other) {
    std::uint16_t& count = left[static_cast<unsigned char>(c)];
    if (count == 0) continue;
    --count;
    ++shared;
  }
  std::size_t longest = std::max(size_, other.size());
  return longest == 0 ? 1 : double(shared) / double(longest);
}

double name_similarity(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  if (a.empty() || b.empty()) return 0;
  double longest = double(std::max(a.size(), b.size()));
  double by_letters = 1.0 - double(edit_distance(a, b)) / longest;
  auto parts_a = word_parts(a), parts_b = word_parts(b);
  std::set<std::string> set_a(parts_a.begin(), parts_a.end()),
      set_b(parts_b.begin(), parts_b.end());
  if (set_a.empty() || set_b.empty()) return by_letters;
  std::size_t shared = std::count_if(set_a.begin(), set_a.end(),
                                     [&](const std::string& part) { return set_b.contains(part); });
  double by_parts = double(shared) / double(set_a.size() + set_b.size() - shared);
  return std::max(by_letters, by_parts * 0.95);
}

std::string elide_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t head = limit * 2 / 3, tail = text.size() - (limit - head);
  auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (head > 0 && continues(head)) --head;
  while (tail < text.size() && continues(tail)) ++tail;
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", text.substr(0, head), tail - head,
                     text.substr(tail));
}

bool looks_binary(std::string_view text) {
  return text.substr(0, 8000).find('\0') != std::string_view::npos;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    // Most of a source is ASCII: eight bytes at a time.
    std::uint64_t word = 0;
    if (text.size() >= sizeof word) {
      std::memcpy(&word, text.data(), sizeof word);
      if ((word & 0x8080808080808080) == 0) {
        text.remove_prefix(sizeof word);
        continue;
      }
    }
    std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    if (length == 0) {
      valid += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      valid += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return valid;
}

}  // namespace suture
