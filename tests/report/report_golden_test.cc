// Golden cases: tests/golden/report/<case>/input.txt is read, and what is found compared with
// expected.json beside it. SUTURE_UPDATE_GOLDEN=1 writes the expectations anew; read the diff then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "repair/base/file.h"
#include "repair/report/report.h"

namespace suture {
namespace {

// Keys in the order written, not sorted: the type comes before its message.
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

fs::path golden_folder() { return fs::path(SUTURE_SOURCE_DIR) / "tests/golden/report"; }

Json frames_json(const std::vector<Frame>& frames) {
  Json json = Json::array();
  for (const Frame& frame : frames) {
    std::string place = frame.file + ":" + std::to_string(frame.line);
    json.push_back(place + " in " + frame.function + " | " + frame.source);
  }
  return json;
}

Json failure_json(const Failure& failure) {
  Json json = {{"kind", to_string(failure.kind)},
               {"type", failure.type},
               {"message", failure.message},
               {"frames", frames_json(failure.frames)}};
  for (const ExceptionRecord& cause : failure.causes) {
    json["causes"].push_back(
        {{"type", cause.type}, {"message", cause.message}, {"frames", frames_json(cause.frames)}});
  }
  if (!failure.test_ids.empty()) json["test_ids"] = failure.test_ids;
  if (failure.rank >= 0) json["rank"] = failure.rank;
  return json;
}

Json report_json(const Report& report) {
  Json json = {{"failures", Json::array()}};
  for (const Failure& failure : report.failures) json["failures"].push_back(failure_json(failure));
  for (const Check& check : report.checks) json["checks"].push_back(check.display());
  for (const ReproScript& script : report.scripts) {
    json["scripts"].push_back({{"language", script.language}, {"text", script.text}});
  }
  return json;
}

std::vector<std::string> golden_cases() {
  std::vector<std::string> cases;
  for (const auto& entry : fs::directory_iterator(golden_folder())) {
    if (entry.is_directory()) cases.push_back(entry.path().filename().string());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

class ReportGolden : public testing::TestWithParam<std::string> {};

TEST_P(ReportGolden, FindsWhatIsExpected) {
  fs::path folder = golden_folder() / GetParam();
  auto input = read_file(folder / "input.txt");
  ASSERT_TRUE(input) << input.error().display();
  auto report = read_report(*input);
  ASSERT_TRUE(report) << report.error().display();
  Json found = report_json(*report);
  // A run's own output must lead to the same failure, up to how far its message goes.
  found["of_output"] = failure_of_output(*input).headline();

  std::string text = found.dump(2) + "\n";
  const char* update = std::getenv("SUTURE_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(folder / "expected.json") << text;
  }
  auto expected = read_file(folder / "expected.json");
  ASSERT_TRUE(expected) << expected.error().display();
  EXPECT_EQ(text, *expected);
}

INSTANTIATE_TEST_SUITE_P(Cases, ReportGolden, testing::ValuesIn(golden_cases()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace suture
