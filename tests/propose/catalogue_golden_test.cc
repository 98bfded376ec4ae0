#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "repair/base/file.h"
#include "repair/propose/catalogue.h"
#include "repair/propose/pattern_test.h"

namespace suture {
namespace {

std::vector<std::filesystem::path> pattern_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SUTURE_SOURCE_DIR "/patterns")) {
    bool data = entry.path().string().find("/facts/") != std::string::npos ||
                entry.path().filename() == "ranking.yaml" ||
                entry.path().filename() == "record.yaml" ||
                entry.path().filename() == "confidence.yaml";
    if (entry.path().extension() == ".yaml" && !data) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// One test a pattern file: it loads, and all the tests it carries hold.
class CatalogueGolden : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(CatalogueGolden, CarriesTestsThatHold) {
  auto text = read_file(GetParam());
  ASSERT_TRUE(text.has_value());
  auto pattern = load_pattern(*text, GetParam().string());
  ASSERT_TRUE(pattern.has_value()) << pattern.error().display();
  for (const TestOutcome& outcome : run_tests(*pattern)) {
    EXPECT_TRUE(outcome.passed()) << outcome.test->name
                                  << (outcome.how == TestOutcome::How::kScan ? " (scan): " : ": ")
                                  << to_string(outcome.verdict) << ", " << outcome.candidates
                                  << " candidates, expected one at " << outcome.position << "\n"
                                  << outcome.shown;
  }
}

std::string id_of(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string id = info.param.stem().string();
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
}

INSTANTIATE_TEST_SUITE_P(Patterns, CatalogueGolden, ::testing::ValuesIn(pattern_files()), id_of);

TEST(Catalogue, LoadsAndHasUniqueIds) {
  auto catalogue = Catalogue::load({SUTURE_SOURCE_DIR "/patterns"});
  ASSERT_TRUE(catalogue.has_value()) << catalogue.error().display();
  EXPECT_GE(catalogue->patterns().size(), 2u);
}

}  // namespace
}  // namespace suture
