#include "repair/locate/suspects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

using ::testing::ElementsAre;

class SuspectsTest : public ::testing::Test {
 protected:
  std::unique_ptr<SourceFile> file_ =
      *SourceFile::parse("m.py", "a = 1\nb = 2\nc = 3\n", Language::kPython);
  StatementIndex index_{*file_};
  Suspects suspects_{kWeights};
};

TEST_F(SuspectsTest, BestClueOfARoleCounts) {
  suspects_.add(index_, 0, Role::kOrigin, 0.5, "first");
  suspects_.add(index_, 0, Role::kOrigin, 0.3, "second");
  const auto ranked = suspects_.ranked(10);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_DOUBLE_EQ(ranked[0].suspiciousness, 0.5);
  EXPECT_THAT(ranked[0].reasons, ElementsAre("first"));
}

TEST_F(SuspectsTest, SeveralRolesLiftButStayInRange) {
  suspects_.add(index_, 0, Role::kOrigin, 0.5, "a");
  suspects_.add(index_, 0, Role::kExecuted, 0.5, "b");
  suspects_.add(index_, 1, Role::kFailing, 3.0, "c");
  const auto ranked = suspects_.ranked(10);
  EXPECT_EQ(ranked[0].line, 2);
  EXPECT_DOUBLE_EQ(ranked[0].suspiciousness, 1.0);
  EXPECT_GT(ranked[1].suspiciousness, 0.5);
  EXPECT_LT(ranked[1].suspiciousness, 1.0);
  EXPECT_THAT(ranked[1].reasons, ElementsAre("a", "b"));
}

TEST_F(SuspectsTest, TiesByLineAndLimit) {
  for (const int statement : {2, 0, 1}) suspects_.add(index_, statement, Role::kExecuted, 0.4, "x");
  const auto ranked = suspects_.ranked(2);
  ASSERT_EQ(ranked.size(), 2u);
  EXPECT_EQ(ranked[0].line, 1);
  EXPECT_EQ(ranked[1].line, 2);
}

TEST_F(SuspectsTest, NothingFromNothing) {
  suspects_.add(index_, -1, Role::kFailing, 1, "no statement");
  suspects_.add(index_, 0, Role::kFailing, 0, "no score");
  EXPECT_TRUE(suspects_.ranked(10).empty());
}

}  // namespace
}  // namespace suture
