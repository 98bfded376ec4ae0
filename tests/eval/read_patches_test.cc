#include "client/eval/read_patches.h"

#include <gtest/gtest.h>

#include <fstream>

#include "repair/base/file.h"

namespace suture {
namespace {

class ReadPatchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<TemporaryFolder> folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    write("bug-1.json",
          R"({"proposals": [{"candidate": "a1", "silencing": "no", "rank": 4, "rivals": 1,
                             "share": 0.5, "rerun": [{}, {}], "features": {"prior": -2, "fit": 1}}],
              "withheld": [{"candidate": "b2", "silencing": "deletes", "rank": 9, "rerun": [{}],
                            "features": {"prior": -3}},
                           {"candidate": "c3", "silencing": "no", "rank": 1, "rerun": [{}],
                            "features": {"prior": -3}}]})");
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_->path() / name) << text;
  }

  Result<std::vector<ReadPatch>> read() {
    return read_patches(folder_->path(), folder_->path() / "labels.jsonl");
  }

  std::optional<TemporaryFolder> folder_;
};

TEST_F(ReadPatchesTest, EvidenceIsThatOfThePatchThatWasRead) {
  write("labels.jsonl",
        R"({"instance_id": "bug-1", "group": "x", "candidate": "a1", "label": "right"})"
        "\n"
        R"({"instance_id": "bug-1", "group": "x", "candidate": "c3", "label": "partly"})"
        "\n");
  auto patches = read();
  ASSERT_TRUE(patches.has_value()) << patches.error().display();
  ASSERT_EQ(patches->size(), 2U);
  const ReadPatch& first = patches->front();
  EXPECT_EQ(first.group, "x");
  EXPECT_EQ(first.label, ReadPatch::Label::kRight);
  EXPECT_DOUBLE_EQ(first.evidence.at("rank"), 2);
  EXPECT_DOUBLE_EQ(first.evidence.at("prior"), -2);
  EXPECT_LT(first.evidence.at("share"), 0);
  EXPECT_DOUBLE_EQ(first.evidence.at("other_tests"), 1);
  EXPECT_EQ(patches->back().label, ReadPatch::Label::kPartly);
  EXPECT_DOUBLE_EQ(patches->back().evidence.at("other_tests"), 0);
  EXPECT_DOUBLE_EQ(patches->back().evidence.at("share"), 0) << "results of old do not tell it";
}

TEST_F(ReadPatchesTest, PatchesThatSilenceOrAreNotThereAreLeftOut) {
  write("labels.jsonl",
        R"({"instance_id": "bug-1", "group": "x", "candidate": "b2", "label": "wrong"})"
        "\n"
        R"({"instance_id": "bug-1", "group": "x", "candidate": "d4", "label": "wrong"})"
        "\n"
        R"({"instance_id": "bug-2", "group": "x", "candidate": "a1", "label": "wrong"})"
        "\n");
  auto patches = read();
  ASSERT_TRUE(patches.has_value()) << patches.error().display();
  EXPECT_TRUE(patches->empty());
}

TEST_F(ReadPatchesTest, WhatIsNoLabelIsAnError) {
  write("labels.jsonl",
        R"({"instance_id": "bug-1", "group": "x", "candidate": "a1", "label": "perhaps"})"
        "\n");
  EXPECT_FALSE(read().has_value());
  write("labels.jsonl", "{\"instance_id\": \"bug-1\"}\n");
  EXPECT_FALSE(read().has_value());
}

}  // namespace
}  // namespace suture
