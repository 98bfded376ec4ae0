#include "repair/rank/tokens.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace suture {
namespace {

/// The words as text: from the start of each to the next, blanks and comments cut off.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  std::vector<Token> tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t end = i + 1 < tokens.size() ? tokens[i + 1].start : text.size();
    std::string word(text.substr(tokens[i].start, end - tokens[i].start));
    word = word[0] == '\n' ? "\n" : word.substr(0, word.find_first_of(" #"));
    found.push_back(word);
  }
  return found;
}

using Words = std::vector<std::string>;

TEST(TokensTest, NamesNumbersStringsOperatorsAndLineEnds) {
  EXPECT_EQ(words("total **= x_1[3.5]"), (Words{"total", "**=", "x_1", "[", "3", ".", "5", "]"}));
  EXPECT_EQ(words("if a != 'b':\n  c"), (Words{"if", "a", "!=", "'b'", ":", "\n", "c"}));
}

TEST(TokensTest, CommentsAndEmptyLinesAreNoWords) {
  EXPECT_EQ(words("a # b\n\n\nc"), (Words{"a", "\n", "c"}));
}

TEST(TokensTest, TheSameWordHasTheSameHashAnotherAnother) {
  std::vector<Token> tokens = tokens_of("x y x 'x' \"x\"");
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_EQ(tokens[0].word, tokens[2].word);
  std::set<std::uint64_t> different;
  for (const Token& token : tokens) different.insert(token.word);
  EXPECT_EQ(different.size(), 4U);
}

TEST(TokensTest, LongStringsAreAlike) {
  std::vector<Token> tokens =
      tokens_of("'what is told to other people' + \"\"\"another text\nof two lines\"\"\"");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].word, tokens[2].word);
}

TEST(TokensTest, AnUnfinishedStringEndsWithItsLine) {
  EXPECT_EQ(words("a = 'b\nc"), (Words{"a", "=", "'b", "\n", "c"}));
  EXPECT_EQ(tokens_of("'''a\n").size(), 1U);
  EXPECT_EQ(tokens_of("'\\").size(), 1U);
  EXPECT_TRUE(tokens_of("").empty());
}

}  // namespace
}  // namespace suture
