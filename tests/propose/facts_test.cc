#include "repair/propose/facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace suture {
namespace {

namespace fs = std::filesystem;

/// A folder of one file of facts, removed at the end.
class FactsFolder {
 public:
  explicit FactsFolder(const std::string& text) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / (std::string("suture_facts_") + test->name());
    fs::create_directories(root_ / "facts");
    std::ofstream(root_ / "facts" / "some.yaml") << text;
  }
  ~FactsFolder() { fs::remove_all(root_); }
  fs::path facts() const { return root_ / "facts"; }
  fs::path pattern() const { return root_ / "family" / "some-pattern.yaml"; }

 private:
  fs::path root_;
};

TEST(Facts, OfTheCatalogueAreWellFormed) {
  auto facts = Facts::load(SUTURE_SOURCE_DIR "/patterns/facts");
  ASSERT_TRUE(facts.has_value()) << facts.error().display();
  EXPECT_GE((*facts)->moves().size(), 150u);
  std::set<std::pair<std::string, std::string>> seen;
  for (const ApiMove& move : (*facts)->moves()) {
    EXPECT_TRUE(seen.insert({move.old_path, move.new_path}).second) << move.old_path << " twice";
    bool outside = move.library == "python" || move.old_path.starts_with(move.library + ".") ||
                   move.old_path == move.library;
    EXPECT_TRUE(outside) << move.old_path << " is not of " << move.library;
    EXPECT_NE(move.new_path, move.old_path);
  }
}

TEST(Facts, FindExactPathsAndWhatLiesBelow) {
  FactsFolder folder("moves:\n  - {old: a.b.c, new: d.c, since: \"1.2\", kind: moved}\n");
  auto facts = Facts::beside(folder.pattern());
  ASSERT_TRUE(facts.has_value()) << facts.error().display();
  ASSERT_EQ((*facts)->of("a.b.c").size(), 1u);
  EXPECT_EQ((*facts)->of("a.b.c").front()->new_path, "d.c");
  EXPECT_EQ((*facts)->of("a.b.c").front()->library, "a");
  EXPECT_TRUE((*facts)->of("a.b").empty());
  EXPECT_EQ((*facts)->below("a.b").size(), 1u);
  EXPECT_TRUE((*facts)->below("a.b.c").empty());
}

TEST(Facts, NoFolderMeansNoFacts) {
  auto facts = Facts::beside(fs::path(::testing::TempDir()) / "suture_no_such_folder" / "x" /
                             "pattern.yaml");
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE((*facts)->moves().empty());
}

/// Bad files die with their place.
void expect_error(const std::string& text, const std::string& message) {
  FactsFolder folder(text);
  auto facts = Facts::load(folder.facts());
  ASSERT_FALSE(facts.has_value());
  EXPECT_NE(facts.error().display().find(message), std::string::npos) << facts.error().display();
  EXPECT_NE(facts.error().display().find("some.yaml:"), std::string::npos)
      << facts.error().display();
}

TEST(FactsErrors, Field) {
  expect_error("moves:\n  - {old: a.b, new: a.c, since: \"1\", kind: moved, why: x}\n",
               "no field `why`");
}
TEST(FactsErrors, Kind) {
  expect_error("moves:\n  - {old: a.b, new: a.c, since: \"1\", kind: gone}\n", "no kind `gone`");
}
TEST(FactsErrors, Version) {
  expect_error("moves:\n  - {old: a.b, new: a.c, since: soon, kind: moved}\n",
               "since is a version");
}
TEST(FactsErrors, Path) {
  expect_error("moves:\n  - {old: a.b(), new: a.c, since: \"1\", kind: moved}\n", "dotted paths");
}
TEST(FactsErrors, Same) {
  expect_error("moves:\n  - {old: a.b, new: a.b, since: \"1\", kind: moved}\n", "are the same");
}
TEST(FactsErrors, NoList) { expect_error("library: a\n", "a list `moves`"); }
TEST(FactsErrors, NoYaml) { expect_error("moves: [\n", "not valid YAML"); }

}  // namespace
}  // namespace suture
