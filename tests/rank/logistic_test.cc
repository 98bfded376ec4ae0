#include "repair/rank/logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace suture {
namespace {

/// Samples of a known law: intercept -1, weight 2 on "a"; "noise" tells nothing.
std::vector<LogisticSample> drawn(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-2, 2), chance(0, 1);
  LogisticModel law{-1, {{"a", 2}}};
  std::vector<LogisticSample> samples;
  for (std::size_t n = 0; n < count; ++n) {
    LogisticSample sample{
        "group" + std::to_string(n % 3), {{"a", value(random)}, {"noise", value(random)}}, false};
    sample.positive = chance(random) < law.probability(sample.features);
    samples.push_back(std::move(sample));
  }
  return samples;
}

const LogisticModel kStart{0, {{"a", 0}, {"noise", 0}}};

TEST(LogisticTest, ProbabilityIsThatOfTheOdds) {
  LogisticModel model{std::log(3), {{"a", std::log(2)}}};
  EXPECT_NEAR(model.probability({}), 0.75, 1e-9);
  EXPECT_NEAR(model.probability({{"a", 1}, {"other", 7}}), 6.0 / 7, 1e-9);
}

TEST(LogisticTest, FindsTheLawBehindTheSamples) {
  LogisticModel fitted = fit_logistic(drawn(3000, 1), kStart, 10);
  EXPECT_NEAR(fitted.intercept, -1, 0.15);
  EXPECT_NEAR(fitted.weights["a"], 2, 0.2);
  EXPECT_NEAR(fitted.weights["noise"], 0, 0.1);
}

TEST(LogisticTest, AFewSamplesMoveATightWeightLittle) {
  LogisticModel fitted = fit_logistic(drawn(40, 2), {0, {{"a", 0.5}}}, 0.01);
  EXPECT_NEAR(fitted.weights["a"], 0.5, 0.02);
  EXPECT_FALSE(fitted.weights.contains("noise")) << "it has no weight to start with";
}

TEST(LogisticTest, SamplesThatAreApartDoNotDrawWeightsToInfinity) {
  std::vector<LogisticSample> apart{{"x", {{"a", 1}}, true}, {"y", {{"a", -1}}, false}};
  LogisticModel fitted = fit_logistic(apart, {0, {{"a", 0}}}, 1);
  EXPECT_GT(fitted.weights["a"], 0.3);
  EXPECT_LT(fitted.weights["a"], 3);
}

TEST(LogisticTest, AGroupDoesNotVouchForItself) {
  std::vector<LogisticSample> samples = drawn(300, 3);
  std::vector<double> predicted = predict_held_out(samples, kStart, 1);
  std::vector<LogisticSample> turned = samples;
  for (LogisticSample& sample : turned) {
    if (sample.group == "group0") sample.positive = !sample.positive;
  }
  std::vector<double> again = predict_held_out(turned, kStart, 1);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].group == "group0") {
      EXPECT_DOUBLE_EQ(predicted[i], again[i]);
    }
  }
  EXPECT_NE(predicted[1], again[1]);
}

}  // namespace
}  // namespace suture
