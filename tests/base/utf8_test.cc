#include <gtest/gtest.h>

#include "repair/base/text.h"

namespace suture {
namespace {

TEST(Utf8, ValidTextIsValidWhereverItsCharactersFall) {
  for (std::size_t blanks = 0; blanks < 20; ++blanks) {
    std::string before(blanks, ' ');
    EXPECT_TRUE(is_valid_utf8(before + "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8d\x9e" + before));
    EXPECT_FALSE(is_valid_utf8(before + "\xff" + before));
    EXPECT_FALSE(is_valid_utf8(before + "\xc3"));
    EXPECT_FALSE(is_valid_utf8(before + "\xed\xa0\x80" + before)) << "a surrogate";
  }
  EXPECT_TRUE(is_valid_utf8(""));
}

}  // namespace
}  // namespace suture
