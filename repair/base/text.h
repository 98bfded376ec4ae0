#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// The lines of a text without their line ends ("\n" or "\r\n"). A final newline makes no extra
/// line.
std::vector<std::string_view> split_lines(std::string_view text);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// Whether `text` is one Python/C identifier ([A-Za-z_][A-Za-z0-9_]*); bytes >= 0x80 count as
/// letters.
bool is_identifier(std::string_view text);

/// Whether `word` occurs in `text` as a whole identifier.
bool mentions_word(std::string_view text, std::string_view word);

/// The identifiers of a text in order of appearance, duplicates kept.
std::vector<std::string_view> identifiers(std::string_view text);

/// The parts of an identifier: snake_case and camelCase are split, lower-cased ("maxLen" -> max,
/// len).
std::vector<std::string> word_parts(std::string_view identifier);

/// Damerau-Levenshtein distance (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);
/// The bytes of a text without their order: tells cheaply which texts are far from it.
class LetterBag {
 public:
  explicit LetterBag(std::string_view text);
  /// At most so alike is the other text by its letters: no less than 1 - edit distance / length of
  /// the longer one.
  double likeness_bound(std::string_view other) const;

 private:
  std::array<std::uint16_t, 256> counts_{};
  std::size_t size_;
};

/// How alike two identifiers are, 0 to 1: the better of edit distance and shared word parts.
double name_similarity(std::string_view a, std::string_view b);

/// Keeps at most `limit` bytes, replacing the middle by a note; never splits a UTF-8 sequence.
std::string elide_middle(std::string_view text, std::size_t limit);

/// Whether the text looks binary: a NUL byte within the first 8,000 bytes (git's rule).
bool looks_binary(std::string_view text);

bool is_valid_utf8(std::string_view text);

/// The text as valid UTF-8: invalid bytes become U+FFFD.
std::string to_valid_utf8(std::string_view text);

}  // namespace suture
