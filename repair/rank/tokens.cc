#include "repair/rank/tokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace suture {
namespace {

/// A string of more bytes is a text for people.
constexpr std::size_t kLongestString = 24;

bool is_name_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

std::uint64_t hash_of(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

bool is_quote(char c) { return c == '"' || c == '\''; }

/// Behind the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  char quote = text[at];
  bool triple = text.substr(at, 3) == std::string(3, quote);
  std::size_t i = at + (triple ? 3 : 1);
  while (i < text.size()) {
    if (text[i] == '\\') {
      i += 2;
    } else if (triple && text.substr(i, 3) == text.substr(at, 3)) {
      return i + 3;
    } else if (!triple && (text[i] == quote || text[i] == '\n')) {
      return text[i] == quote ? i + 1 : i;
    } else {
      ++i;
    }
  }
  return text.size();
}

/// Operators of two bytes and more; any other byte is an operator of its own.
std::size_t length_of_operator(std::string_view text, std::size_t at) {
  static constexpr std::string_view kLong[] = {"**=", "//=", "==", "!=", "<=", ">=", "->",
                                               ":=",  "+=",  "-=", "*=", "/=", "**", "//",
                                               "<<",  ">>",  "|=", "&=", "^=", "%=", "@="};
  for (std::string_view each : kLong) {
    if (text.substr(at, each.size()) == each) return each.size();
  }
  return 1;
}

}  // namespace

std::uint64_t line_end_word() {
  static const std::uint64_t word = hash_of("\n");
  return word;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4);
  std::size_t at = 0;
  auto add = [&](std::size_t end, std::uint64_t word) {
    tokens.push_back({word, std::uint32_t(at)});
    at = end;
  };
  while (at < text.size()) {
    char c = text[at];
    if (c == '\n') {
      // Empty lines are none.
      bool first = tokens.empty() || tokens.back().word != line_end_word();
      first ? add(at + 1, line_end_word()) : void(++at);
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_quote(c)) {
      std::size_t end = end_of_string(text, at);
      bool is_text = end - at > kLongestString;
      add(end, hash_of(is_text ? "\"...\"" : text.substr(at, end - at)));
    } else {
      std::size_t end = at;
      while (end < text.size() && is_name_byte(text[end])) ++end;
      if (end == at) end += length_of_operator(text, at);
      add(end, hash_of(text.substr(at, end - at)));
    }
  }
  return tokens;
}

}  // namespace suture
