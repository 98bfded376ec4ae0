#include "repair/process/capped_output.h"

#include <gtest/gtest.h>

#include <string>

namespace suture {
namespace {

TEST(CappedOutputTest, KeepsAllUpToTheLimit) {
  CappedOutput output(10);
  output.append("01234");
  output.append("56789");
  EXPECT_FALSE(output.truncated());
  EXPECT_EQ(output.text(), "0123456789");
}

TEST(CappedOutputTest, KeepsHeadAndTail) {
  CappedOutput output(10);
  for (int i = 0; i < 1000; ++i) output.append("abc");
  output.append("XYZ");
  EXPECT_TRUE(output.truncated());
  EXPECT_EQ(output.text(), "abcab\n[... 2993 bytes left out ...]\nbcXYZ");
}

TEST(CappedOutputTest, PiecesDoNotMatter) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::to_string(i) + " ";
  CappedOutput whole(101);
  whole.append(text);
  CappedOutput pieces(101);
  for (std::size_t at = 0; at < text.size(); at += 7) pieces.append(text.substr(at, 7));
  EXPECT_EQ(whole.text(), pieces.text());
}

TEST(CappedOutputTest, DoesNotCutCharacters) {
  for (std::size_t limit = 8; limit < 20; ++limit) {
    CappedOutput output(limit);
    for (int i = 0; i < 50; ++i) output.append("\u20ac");
    std::string text = output.text();
    std::string left = text.substr(0, text.find('\n'));
    std::string right = text.substr(text.rfind('\n') + 1);
    EXPECT_EQ(left.size() % 3, 0u) << limit;
    EXPECT_EQ(right.size() % 3, 0u) << limit;
  }
}

TEST(CappedOutputTest, NothingKeptIsNoCrash) {
  CappedOutput output(0);
  output.append("text");
  EXPECT_TRUE(output.truncated());
}

}  // namespace
}  // namespace suture
