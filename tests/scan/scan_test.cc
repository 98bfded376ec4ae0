#include "repair/scan/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repair/base/file.h"
#include "repair/propose/catalogue.h"
#include "repair/scan/safe_fixes.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Catalogue& catalogue() {
  static const Catalogue loaded = *Catalogue::load_static({SUTURE_SOURCE_DIR "/patterns"});
  return loaded;
}

const StaticPatterns& patterns() {
  static const StaticPatterns made(catalogue());
  return made;
}

std::vector<std::string> found_in(const std::string& text) {
  std::vector<std::string> ids;
  auto result = patterns().in("a.py", text);
  if (!result) return {result.error().display()};
  for (const Finding& finding : result->findings)
    ids.push_back(finding.pattern + ":" + std::to_string(finding.start.line));
  return ids;
}

TEST(Findings, AreInTheOrderOfPlacesWithColumnsInCharacters) {
  auto result = patterns().in("a.py",
                              "def f(x, mode):\n"
                              "    \"\u00e9\"; x == 3\n"
                              "    return x == None or mode is 'a'\n");
  ASSERT_TRUE(result) << result.error().display();
  ASSERT_THAT(result->findings, SizeIs(3));
  const Finding& dropped = result->findings[0];
  EXPECT_EQ(dropped.pattern, "comparison-statement");
  EXPECT_EQ(dropped.start.line, 2);
  EXPECT_EQ(dropped.start.column, 10);
  EXPECT_EQ(dropped.end.column, 16);
  EXPECT_EQ(result->findings[1].pattern, "none-equality");
  EXPECT_EQ(result->findings[2].pattern, "is-literal");
  EXPECT_EQ(result->findings[2].safety, Pattern::Safety::kSafe);
  EXPECT_EQ(result->findings[2].fix.at(0).edit.text, "==");
}

TEST(Findings, ACommentOfTheLineExcusesThem) {
  EXPECT_THAT(found_in("def f(x):\n    x == 3\n"), ElementsAre("comparison-statement:2"));
  EXPECT_THAT(found_in("def f(x):\n    x == 3  # suture: ignore\n"), IsEmpty());
  EXPECT_THAT(found_in("def f(x):\n    x == 3  # why  suture: ignore[a, comparison-statement]\n"),
              IsEmpty());
  EXPECT_THAT(found_in("def f(x):\n    x == 3  # suture: ignore[is-literal]\n"),
              ElementsAre("comparison-statement:2"));
  EXPECT_THAT(found_in("def f(x):\n    x == '# suture: ignore'\n"),
              ElementsAre("comparison-statement:2"));
  EXPECT_THAT(found_in("def f(x):\n    x == (3,\n      4)  # suture: ignore\n"), IsEmpty());
}

TEST(Findings, WhatDoesNotParseIsLeftOut) {
  auto result = patterns().in("a.py", "x is 'a'\ndef f(:\n    x is 'b'\n");
  ASSERT_TRUE(result);
  EXPECT_GT(result->unparsed_line, 0);
  EXPECT_FALSE(patterns().in("a.py", std::string("x\0y", 3)).has_value());
  EXPECT_TRUE(patterns().in("a.txt", "x is 'a'")->findings.empty());
}

TEST(Findings, ParentsAreRightInTheMiddleOfAWalk) {
  // Each needs what is around the match, in a file where nodes of one kind nest.
  EXPECT_THAT(found_in("def f(a):\n"
                       "    with a:\n"
                       "        a == 1\n"
                       "    if a:\n"
                       "        a == 2\n"
                       "    return [a == 3, isinstance(a, int)]\n"),
              ElementsAre("comparison-statement:5"));
}

TEST(SafeFixes, AreMadeAndTheOthersAreNot) {
  auto fixed = fix_safely(patterns(), "a.py",
                          "def f(x):\r\n"
                          "    if x is 'a' and x is not 3:\r\n"
                          "        raise NotImplemented\r\n"
                          "    return x == None\r\n");
  ASSERT_TRUE(fixed) << fixed.error().display();
  EXPECT_EQ(fixed->text,
            "def f(x):\r\n"
            "    if x == 'a' and x != 3:\r\n"
            "        raise NotImplementedError\r\n"
            "    return x == None\r\n");
  EXPECT_THAT(fixed->made, SizeIs(3));
  ASSERT_THAT(fixed->left.findings, SizeIs(1));
  EXPECT_EQ(fixed->left.findings[0].pattern, "none-equality");
}

TEST(SafeFixes, OfOneInsideAnotherAreMadeInTurn) {
  auto fixed = fix_safely(patterns(), "a.py",
                          "try:\n    x = 1\nexcept (KeyError or IndexError):\n"
                          "    y = isinstance(x, int or str) is 'a'\n");
  ASSERT_TRUE(fixed);
  EXPECT_EQ(fixed->text,
            "try:\n    x = 1\nexcept (KeyError, IndexError):\n"
            "    y = isinstance(x, (int, str)) == 'a'\n");
  EXPECT_THAT(fixed->left.findings, IsEmpty());
}

class ScanFolder : public ::testing::Test {
 protected:
  void write(const std::string& path, std::string_view text) {
    testing::write(tree() / path, text);
  }
  std::vector<std::string> listed(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::string> names;
    auto sources = sources_to_scan(paths, patterns());
    if (!sources) return {sources.error().display()};
    for (const ScanSource& source : *sources) names.push_back(source.path);
    return names;
  }
  std::filesystem::path tree() { return scratch_.path(); }

  TemporaryFolder scratch_ = std::move(*TemporaryFolder::make("suture-test-"));
};

TEST_F(ScanFolder, LeavesOutWhatIsNotMeant) {
  for (const char* path : {"b.py", "a/c.py", "a/.hidden/x.py", "third_party/x.py", "build/x.py",
                           "ignored/x.py", "a/made.py", "native.cc"})
    write(path, "x = 1\n");
  EXPECT_THAT(listed({tree()}), ElementsAre("a/c.py", "a/made.py", "b.py", "ignored/x.py"));
  write(".gitignore", "ignored/\n");
  write("a/.gitignore", "made.py\n");
  ASSERT_EQ(testing::shell(tree(), "git init -q .").status, 0);
  EXPECT_THAT(listed({tree()}), ElementsAre("a/c.py", "b.py"));
  EXPECT_THAT(listed({tree() / "a"}), ElementsAre("c.py"));
  // Who names it means it; and each file is scanned once.
  EXPECT_THAT(listed({tree() / "ignored", tree() / "ignored/x.py", tree() / "a/made.py"}),
              ElementsAre("x.py", "made.py"));
  EXPECT_THAT(listed({tree() / "none"}), ElementsAre(HasSubstr("no such file or folder")));
}

TEST_F(ScanFolder, TheResultDoesNotDependOnThreads) {
  for (int i = 0; i < 40; ++i)
    write("m" + std::to_string(i) + ".py", "def f(x):\n    x == 1\n    return x is 'a'\n");
  auto sources = sources_to_scan({tree()}, patterns());
  ASSERT_TRUE(sources);
  auto run = [&](std::size_t jobs) {
    ScanPlan plan;
    plan.jobs = jobs;
    auto result = scan(*sources, patterns(), plan, {});
    std::vector<std::string> lines;
    for (const Finding& finding : result->findings) lines.push_back(finding.file + finding.pattern);
    return lines;
  };
  EXPECT_THAT(run(1), SizeIs(80));
  EXPECT_EQ(run(1), run(7));
}

TEST_F(ScanFolder, UnreadableFilesAreWarningsAndStopNothing) {
  write("a.py", "x = '\xff'\n");
  write("b.py", std::string("x\0y", 3));
  write("c.py", "# -*- coding: latin-1 -*-\nx is '\xff'\n");
  write("d.py", "def f(:\n");
  auto sources = sources_to_scan({tree(), tree() / "d.py"}, patterns());
  ASSERT_TRUE(sources);
  auto result = scan(*sources, patterns(), {}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->files, 2u);
  ASSERT_THAT(result->warnings, SizeIs(3));
  EXPECT_THAT(result->warnings[0].message, HasSubstr("not UTF-8"));
  EXPECT_THAT(result->warnings[1].message, HasSubstr("binary"));
  EXPECT_THAT(result->warnings[2].message, HasSubstr("does not parse"));
  EXPECT_EQ(result->warnings[2].line, 1);
  EXPECT_THAT(result->findings, SizeIs(1));
}

TEST_F(ScanFolder, StopsWhenAsked) {
  write("a.py", "x = 1\n");
  auto sources = sources_to_scan({tree()}, patterns());
  CancelToken cancel;
  cancel.cancel();
  auto result = scan(*sources, patterns(), {}, cancel);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace suture
