#include "repair/report/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Check parsed(std::string_view line) {
  auto check = parse_check(line);
  EXPECT_TRUE(check) << line;
  return check ? *check : Check{};
}

TEST(ParseCheck, SplitsPlainWords) {
  Check check = parsed("  python -m pytest\t-x tests/test_x.py::test_y ");
  EXPECT_THAT(check.command,
              ElementsAre("python", "-m", "pytest", "-x", "tests/test_x.py::test_y"));
  EXPECT_THAT(check.env, IsEmpty());
}

TEST(ParseCheck, UndoesQuotesAndEscapes) {
  Check check = parsed(R"(python a.py 'one two' "three \"four\" \n" five\ six '' a'b'"c")");
  EXPECT_THAT(check.command, ElementsAre("python", "a.py", "one two", "three \"four\" \\n",
                                         "five six", "", "abc"));
}

TEST(ParseCheck, LeadingSettingsAreTheEnvironment) {
  Check check = parsed("A=1 B='x y' EMPTY= python C=3");
  EXPECT_THAT(check.env, ElementsAre(Pair("A", "1"), Pair("B", "x y"), Pair("EMPTY", "")));
  EXPECT_THAT(check.command, ElementsAre("python", "C=3"));
}

TEST(ParseCheck, QuotedSettingIsAProgram) {
  EXPECT_THAT(parsed("'A=1' python").command, ElementsAre("A=1", "python"));
}

TEST(ParseCheck, NodeIdWithParametersNeedsNoShell) {
  EXPECT_THAT(parsed("pytest t.py::test_a[x-1]").command,
              ElementsAre("pytest", "t.py::test_a[x-1]"));
}

class NeedsShell : public testing::TestWithParam<const char*> {};

TEST_P(NeedsShell, KeepsTheLine) {
  EXPECT_THAT(parsed(GetParam()).command, ElementsAre("sh", "-c", GetParam()));
}

INSTANTIATE_TEST_SUITE_P(ParseCheck, NeedsShell,
                         testing::Values("a | b", "a && b", "a; b", "a > out", "a < in", "a $X",
                                         "a \"$X\"", "a `b`", "a *.py", "a ?.py", "(a)", "a &",
                                         "cd src", "A=1 exit 3", "cat ~/x", "a # note", "! a"));

TEST(ParseCheck, QuotedShellBytesAreOrdinary) {
  EXPECT_THAT(parsed(R"(python -c 'print(1); x = a | b' "#" \$X)").command,
              ElementsAre("python", "-c", "print(1); x = a | b", "#", "$X"));
}

TEST(ParseCheck, RefusesWhatCannotRun) {
  for (const char* line : {"", "   ", "python 'a", "python \"a", "python a\\", "A=1 B=2", "''"}) {
    auto check = parse_check(line);
    ASSERT_FALSE(check) << line;
    EXPECT_EQ(check.error().kind, ErrorKind::kUsage) << line;
    EXPECT_NE(check.error().hint, "") << line;
  }
  EXPECT_THAT(parse_check("python 'a").error().message, HasSubstr("never closed"));
}

TEST(CheckDisplay, ReadsAsTyped) {
  EXPECT_EQ(parsed("A='x y' python -c 'print(1)'").display(), "A='x y' python -c 'print(1)'");
  EXPECT_EQ(parsed("a | b").display(), "a | b");
  Check check;
  check.command = {"sh", "-c", "plain words"};
  EXPECT_EQ(check.display(), "sh -c 'plain words'");
}

/// What display() prints, parse_check() reads back, whatever the words are.
TEST(CheckProperty, DisplayIsReadBack) {
  std::mt19937 random(1);
  constexpr std::string_view kBytes = "ab=_/. '\"\\$|;*[]~#!-\t\n`&é";
  for (int round = 0; round < 20'000; ++round) {
    Check check;
    for (std::size_t words = 1 + random() % 4; words > 0; --words) {
      std::string word;
      for (std::size_t i = random() % 6; i > 0; --i) word += kBytes[random() % kBytes.size()];
      check.command.push_back(word);
    }
    if (check.command[0].empty()) check.command[0] = "p";
    if (random() % 3 == 0) check.env["NAME"] = check.command.back();
    auto again = parse_check(check.display());
    ASSERT_TRUE(again) << check.display();
    ASSERT_EQ(again->command, check.command) << check.display();
    ASSERT_EQ(again->env, check.env) << check.display();
  }
}

TEST(CheckProperty, AnyLineIsReadOrRefused) {
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string line;
    for (std::size_t i = random() % 12; i > 0; --i) line += static_cast<char>(random() % 256);
    auto check = parse_check(line);
    if (!check) continue;
    EXPECT_FALSE(check->command.empty());
    EXPECT_TRUE(parse_check(check->display())) << check->display();
  }
}

}  // namespace
}  // namespace suture
