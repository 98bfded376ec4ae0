#include "client/eval/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Instance> instances() {
  std::vector<Instance> list;
  for (const char* id : {"astropy__astropy-12907", "deepspeed-0a1b2c3d", "megatron-11112222",
                         "accelerate-00785cd9", "peft-42"}) {
    list.push_back(Instance{id, "", {}});
  }
  return list;
}

std::vector<std::string> ids(const std::vector<Instance>& list) {
  std::vector<std::string> names;
  for (const Instance& instance : list) names.push_back(instance.id);
  return names;
}

// Expected orders from Python: sorted(ids, key=lambda i:
// sha256(f"{seed}:{i}".encode()).hexdigest()).
TEST(Sample, OrderIsThatOfTheDigests) {
  EXPECT_THAT(ids(sample(instances(), 5, 1)),
              ElementsAre("astropy__astropy-12907", "peft-42", "megatron-11112222",
                          "accelerate-00785cd9", "deepspeed-0a1b2c3d"));
  EXPECT_THAT(ids(sample(instances(), 3, 2)),
              ElementsAre("peft-42", "astropy__astropy-12907", "deepspeed-0a1b2c3d"));
}

TEST(Sample, DoesNotDependOnTheOrderOfTheFile) {
  std::vector<Instance> reversed = instances();
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(ids(sample(reversed, 3, 7)), ids(sample(instances(), 3, 7)));
}

TEST(Sample, ASmallerSampleIsTheBeginningOfALargerOne) {
  std::vector<std::string> four = ids(sample(instances(), 4, 9));
  four.resize(2);
  EXPECT_EQ(ids(sample(instances(), 2, 9)), four);
}

TEST(Sample, MoreThanThereAreIsAll) { EXPECT_EQ(sample(instances(), 99, 1).size(), 5u); }

TEST(Select, AllInTheOrderOfTheFile) {
  auto all = select(instances(), {});
  ASSERT_TRUE(all);
  EXPECT_EQ(ids(*all), ids(instances()));
}

TEST(Select, IdsThenSample) {
  auto one = select(instances(), {{"peft-42", "megatron-11112222"}, 1, 2});
  ASSERT_TRUE(one);
  EXPECT_THAT(ids(*one), ElementsAre("peft-42"));
}

TEST(Select, UnknownIdsAreNamed) {
  auto none = select(instances(), {{"peft-42", "peft-43"}, std::nullopt, 1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(none.error().message, HasSubstr("peft-43"));
  EXPECT_THAT(none.error().message, Not(HasSubstr("peft-42")));
}

}  // namespace
}  // namespace suture
