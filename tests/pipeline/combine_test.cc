#include "repair/combine.h"

#include <gtest/gtest.h>

#include <string>

#include "repair/propose/propose.h"

namespace suture {
namespace {

class CombineTest : public ::testing::Test {
 protected:
  /// A candidate of `tree` that puts `text` in the place of `old`.
  static Candidate candidate(SourceTree& tree, const std::string& path, const std::string& old,
                             const std::string& text, const std::string& pattern) {
    auto at = std::uint32_t(tree.bytes(path).find(old));
    Candidate made;
    made.pattern = made.rewrite = pattern;
    made.summary = made.cause = "because of " + pattern;
    made.edits[path] = {{{at, at + std::uint32_t(old.size())}, text}};
    made.features = {{"prior", pattern == "a" ? -3.0 : -1.0}};
    return made;
  }

  /// What both edits make of the files of `base`.
  FileContents made_by(const Candidate& combined) {
    Candidate copy = combined;
    EXPECT_TRUE(materialise(copy, *base_));
    return copy.files;
  }

  std::unique_ptr<SourceTree> base_ =
      SourceTree::in_memory({{"m.py", "x = 1\ny = 2\n"}, {"n.py", "z = 3\n"}});
};

TEST_F(CombineTest, EditsOfOneFile) {
  Candidate first = candidate(*base_, "m.py", "1", "10", "a");
  ASSERT_TRUE(materialise(first, *base_));
  auto edited = base_->edited(first.files);
  auto both = combine(first, candidate(*edited, "m.py", "2", "20", "b"), *base_, *edited);
  ASSERT_TRUE(both);
  EXPECT_EQ(made_by(*both), (FileContents{{"m.py", "x = 10\ny = 20\n"}}));
  EXPECT_EQ(both->pattern, "a+b");
  EXPECT_EQ(both->summary, "because of a; because of b");
  EXPECT_EQ(both->features["prior"], -3);
}

TEST_F(CombineTest, ASecondEditOfWhatTheFirstWrote) {
  Candidate first = candidate(*base_, "m.py", "1", "f(1)", "a");
  ASSERT_TRUE(materialise(first, *base_));
  auto edited = base_->edited(first.files);
  auto both = combine(first, candidate(*edited, "m.py", "f", "g", "a"), *base_, *edited);
  ASSERT_TRUE(both);
  EXPECT_EQ(made_by(*both), (FileContents{{"m.py", "x = g(1)\ny = 2\n"}}));
  EXPECT_EQ(both->pattern, "a");
}

TEST_F(CombineTest, EditsOfTwoFiles) {
  Candidate first = candidate(*base_, "m.py", "1", "10", "a");
  ASSERT_TRUE(materialise(first, *base_));
  first.silencing = Silencing::kSkips;
  auto edited = base_->edited(first.files);
  auto both = combine(first, candidate(*edited, "n.py", "3", "30", "b"), *base_, *edited);
  ASSERT_TRUE(both);
  EXPECT_EQ(made_by(*both), (FileContents{{"m.py", "x = 10\ny = 2\n"}, {"n.py", "z = 30\n"}}));
  EXPECT_EQ(both->silencing, Silencing::kSkips);
}

TEST_F(CombineTest, NothingWhereTheSecondDoesNotApplyOrUndoesTheFirst) {
  Candidate first = candidate(*base_, "m.py", "1", "10", "a");
  ASSERT_TRUE(materialise(first, *base_));
  auto edited = base_->edited(first.files);
  EXPECT_FALSE(combine(first, candidate(*edited, "m.py", "2", ")", "b"), *base_, *edited));
  EXPECT_FALSE(combine(first, candidate(*edited, "m.py", "10", "1", "b"), *base_, *edited));
}

TEST(SourceTreeEdited, SharesNothing) {
  auto base = SourceTree::in_memory({{"m.py", "def f(): pass\n"}, {"n.py", "import m\n"}});
  ASSERT_EQ(base->definitions("f").size(), 1u);
  auto edited = base->edited({{"m.py", "def g(): pass\n"}});
  EXPECT_EQ(edited->bytes("m.py"), "def g(): pass\n");
  EXPECT_EQ(edited->bytes("n.py"), "import m\n");
  EXPECT_TRUE(edited->definitions("f").empty());
  EXPECT_EQ(edited->definitions("g").size(), 1u);
  EXPECT_EQ(base->bytes("m.py"), "def f(): pass\n");
}

}  // namespace
}  // namespace suture
