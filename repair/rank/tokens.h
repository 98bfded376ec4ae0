#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace suture {

/// A word of source text, told by its hash: a name, number, operator, string or line end. Comments
/// and blanks are none; a long string is told by its kind, for its text says nothing of the code.
struct Token {
  std::uint64_t word = 0;
  std::uint32_t start = 0;  ///< first byte in the text
};

/// The words of Python text, which need not be whole or correct: an unfinished string ends with its
/// line.
std::vector<Token> tokens_of(std::string_view text);

/// The word of a line end, which is also what stands before the first line.
std::uint64_t line_end_word();

/// A hash of two: of a word and what follows it.
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15U + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdU;
  return x ^ (x >> 32);
}

}  // namespace suture
