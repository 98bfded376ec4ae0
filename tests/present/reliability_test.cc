#include "client/present/reliability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repair/base/file.h"

namespace suture {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Reliability, CountsByConfidenceAndByThreshold) {
  ConfidenceModel::HeldOut held_out{{0.95, 0.75, 0.2}, {0.8}, {0.05, 0.72}};
  std::string text = reliability_tables(held_out);
  EXPECT_THAT(text, HasSubstr("| 0.0 to 0.1 | 1 | 0.05 | 0 (0 %) | 0 | 1 |\n"));
  EXPECT_THAT(text, HasSubstr("| 0.7 to 0.9 | 3 | 0.76 | 1 (33 %) | 1 | 1 |\n"));
  EXPECT_THAT(text, HasSubstr("| 0.9 to 1.0 | 1 | 0.95 | 1 (100 %) | 0 | 0 |\n"));
  EXPECT_THAT(text, Not(HasSubstr("| 0.3 to 0.5"))) << "there is none";
  EXPECT_THAT(text, HasSubstr("| 0.70 | 4 | 50 % | 75 % | 2 | 50 % |\n"));
  EXPECT_THAT(text, HasSubstr(" (default) |"));
}

TEST(Reliability, TheFileIsWhatTheModelSays) {
  auto file = read_file(SUTURE_SOURCE_DIR "/patterns/CONFIDENCE.md");
  ASSERT_TRUE(file.has_value());
  auto model = ConfidenceModel::load(SUTURE_SOURCE_DIR "/patterns/confidence.yaml");
  ASSERT_TRUE(model.has_value()) << model.error().display();
  EXPECT_EQ(*file, confidence_page(*model))
      << "run: suture patterns confidence > patterns/CONFIDENCE.md";
}

TEST(Reliability, AModelThatWasNotMeasuredSaysSo) {
  EXPECT_THAT(confidence_page(ConfidenceModel()), HasSubstr("It was not measured."));
}

}  // namespace
}  // namespace suture
