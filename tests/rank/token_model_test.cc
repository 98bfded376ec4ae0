#include "repair/rank/token_model.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

double chance_of_last(const TokenModel& model, std::string_view text,
                      const TokenModel& without = {}) {
  return model.probability(places_in(tokens_of(text)).back(), without);
}

TokenModel model_of(std::string_view text) {
  TokenModel model;
  model.add(tokens_of(text));
  return model;
}

TEST(TokenModelTest, WhatOftenFollowsIsLikelier) {
  TokenModel model = model_of("for i in range(n):\nfor j in range(m):\nfor k in items:\n");
  EXPECT_GT(chance_of_last(model, "i in range"), chance_of_last(model, "i in items"));
  EXPECT_GT(chance_of_last(model, "i in items"), chance_of_last(model, "i in n"));
  EXPECT_GT(chance_of_last(model, "i in n"), chance_of_last(model, "i in unseen"));
}

TEST(TokenModelTest, AnEmptyModelKnowsNothing) {
  EXPECT_DOUBLE_EQ(chance_of_last(TokenModel(), "a b c"), TokenModel::kUnseen);
}

TEST(TokenModelTest, APartThatIsLeftOutDoesNotVouchForItself) {
  TokenModel model = model_of("a = once(x)\nb = c\n");
  TokenModel itself = model_of("a = once(x)");
  EXPECT_LT(chance_of_last(model, "a = once", itself), chance_of_last(model, "a = once"));
  EXPECT_NEAR(chance_of_last(model, "a = once", itself), chance_of_last(model, "a = never"), 1e-3);
}

TEST(TokenModelTest, ChancesOfAContextAddUpToOneAtMost) {
  TokenModel model = model_of("a b c\na b d\na b c\n");
  double sum = 0;
  for (const char* text : {"a b c", "a b d", "a b a", "a b b", "a b\n"})
    sum += chance_of_last(model, text);
  EXPECT_LE(sum, 1.0);
  EXPECT_GT(sum, 0.9);
}

TEST(TokenModelTest, TheFirstWordStandsAtTheBeginningOfALine) {
  std::vector<TokenModel::Place> places = places_in(tokens_of("a b"));
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].first, line_end_word());
  EXPECT_EQ(places[1].first, places[0].word);
}

}  // namespace
}  // namespace suture
