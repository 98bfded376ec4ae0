#include "client/cli/pattern_record.h"

#include <gtest/gtest.h>

#include <fstream>

#include "repair/base/file.h"

namespace suture {
namespace {

class PatternRecordTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
  }
  TemporaryFolder folder_ = *TemporaryFolder::make("suture-test-");
};

TEST_F(PatternRecordTest, CountsWhatBecameOfCandidates) {
  write("one.json",
        R"({"trials": [{"pattern": "a", "verdict": "FAILED"}, {"pattern": "a", "verdict": "PASSED"},
            {"pattern": "a+b", "verdict": "PASSED"}], "proposals": [{"pattern": "a+b"}]})");
  write("two.json", R"({"trials": [{"pattern": "c", "verdict": "FAILED"}], "proposals": []})");
  write("two.candidates.jsonl", "{}\n");
  auto record = count_record(folder_.path());
  ASSERT_TRUE(record.has_value()) << record.error().display();
  EXPECT_EQ(record->bugs, 2u);
  const PatternRecord& a = record->patterns["a"];
  EXPECT_EQ(a.tried, 3u);
  EXPECT_EQ(a.green, 2u);
  EXPECT_EQ(a.shown, 1u);
  EXPECT_EQ(record->patterns["b"].shown, 1u);
  EXPECT_EQ(record->patterns["c"].green, 0u);
}

TEST_F(PatternRecordTest, IsReadBackAsWritten) {
  CatalogueRecord record;
  record.bugs = 3;
  record.patterns["arg-swap"] = {5, 2, 1};
  write("record.yaml", to_yaml(record));
  auto loaded = load_record(folder_.path() / "record.yaml");
  ASSERT_TRUE(loaded.has_value()) << loaded.error().display();
  EXPECT_EQ(to_yaml(*loaded), to_yaml(record));
}

TEST_F(PatternRecordTest, BadInputIsNamed) {
  EXPECT_FALSE(count_record(folder_.path() / "none").has_value());
  write("bad.json", "{");
  EXPECT_NE(count_record(folder_.path()).error().message.find("bad.json"), std::string::npos);
  write("record.yaml", "bugs: many\n");
  EXPECT_FALSE(load_record(folder_.path() / "record.yaml").has_value());
  auto none = load_record(folder_.path() / "no.yaml");
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->bugs, 0u);
}

}  // namespace
}  // namespace suture
