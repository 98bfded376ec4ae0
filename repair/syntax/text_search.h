#pragma once

#include <cctype>
#include <cstring>
#include <string_view>

// Finding names in Python without parsing it.

namespace suture {

inline bool is_word_byte(char c) {
  auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte == '_' || byte >= 0x80;
}

/// Calls `visit(position)` for the word's whole occurrences until it returns true; whether it did.
template <class Visit>
bool find_word(std::string_view text, std::string_view word, Visit visit) {
  if (word.empty()) return false;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const char* at = begin;
  while (at < end) {
    at = static_cast<const char*>(
        memmem(at, static_cast<std::size_t>(end - at), word.data(), word.size()));
    if (at == nullptr) return false;
    const char* behind = at + word.size();
    bool whole =
        (at == begin || !is_word_byte(at[-1])) && (behind == end || !is_word_byte(*behind));
    if (whole && visit(static_cast<std::size_t>(at - begin))) return true;
    at = behind;
  }
  return false;
}

/// Whether the word at a position could be defined there: `def word`, `class word`, or first thing
/// in a line of names at module or class level.
bool may_define(std::string_view text, std::size_t at);

}  // namespace suture
