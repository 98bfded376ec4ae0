#include "repair/base/version.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace suture {
namespace {

Version version(const std::string& text) {
  auto parsed = Version::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Version());
}

TEST(VersionTest, OrderOfPep440) {
  std::vector<std::string> ordered = {"1.0.dev1", "1.0a1.dev2", "1.0a1",   "1.0b2", "1.0rc1",
                                      "1.0",      "1.0+a",      "1.0+a.1", "1.0+1", "1.0.post1",
                                      "1.0.1",    "1.9",        "1.10",    "2",     "1!0.1"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j)
      EXPECT_EQ(version(ordered[i]) < version(ordered[j]), i < j)
          << ordered[i] << " " << ordered[j];
  }
}

TEST(VersionTest, SpellingsOfOneVersion) {
  EXPECT_EQ(version("1.0"), version("1.0.0"));
  EXPECT_EQ(version("v1.0-Beta.2"), version("1.0b2"));
  EXPECT_EQ(version("1.0-1"), version("1.0.post1"));
  EXPECT_EQ(version("1.0c1"), version("1.0rc1"));
  EXPECT_EQ(version("1.0.rev"), version("1.0.post0"));
}

TEST(VersionTest, WhatIsNoVersion) {
  for (const char* text : {"", "one", "1.", "1.0-", "1.0 2", "==1.0", "1.0+", "1.x"})
    EXPECT_FALSE(Version::parse(text)) << text;
}

struct Case {
  const char* specifier;
  const char* version;
  bool allowed;
};

class SpecifierTest : public ::testing::TestWithParam<Case> {};

TEST_P(SpecifierTest, Allows) {
  auto specifier = VersionSpecifier::parse(GetParam().specifier);
  ASSERT_TRUE(specifier) << GetParam().specifier;
  EXPECT_EQ(specifier->allows(version(GetParam().version)), GetParam().allowed)
      << GetParam().specifier << " " << GetParam().version;
}

INSTANTIATE_TEST_SUITE_P(
    Pep440, SpecifierTest,
    ::testing::Values(Case{"", "1", true}, Case{">=1.9", "1.10", true}, Case{"<1.10", "1.9", true},
                      Case{">= 1.2, < 2", "2.0.1", false}, Case{">= 1.2, < 2", "1.26.4", true},
                      Case{"==2.1.0", "2.1.0+cpu", true}, Case{"==2.1.0+cu118", "2.1.0+cpu", false},
                      Case{"<=2.1.0", "2.1.0+cpu", true}, Case{">2.1.0", "2.1.0+cpu", false},
                      Case{"==1.2.*", "1.2.9", true}, Case{"==1.2.*", "1.20", false},
                      Case{"!=1.2.*", "1.2rc1", false}, Case{"!=1.3", "1.3.0", false},
                      Case{"~=1.4.5", "1.4.9", true}, Case{"~=1.4.5", "1.5.0", false},
                      Case{"~=1.4.5", "1.4.4", false}, Case{"~=2.2", "2.9", true},
                      Case{"<2.0", "2.0rc1", false}, Case{"<2.0rc2", "2.0rc1", true},
                      Case{">1.7", "1.7.post2", false}, Case{">1.7", "1.7.1", true},
                      Case{">=2.0", "2.0.dev3", false}, Case{"===1.0", "1.0", true}));

TEST(SpecifierText, WhatIsNone) {
  for (const char* text : {"1.0", ">=", "~=1", ">=1.*", "=>1", "^1.2", ">=1 or <0"})
    EXPECT_FALSE(VersionSpecifier::parse(text)) << text;
}

TEST(SpecifierText, Text) {
  EXPECT_EQ(VersionSpecifier::parse(" >= 1.2 , < 2 ")->text(), ">=1.2,<2");
}

}  // namespace
}  // namespace suture
