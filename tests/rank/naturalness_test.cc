#include "repair/rank/naturalness.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

constexpr const char* kSource =
    "def open_all(paths, mode):\n"
    "    first = open(paths[0], mode=mode)\n"
    "    last = open(paths[-1], mode=mode)\n"
    "    middle = open(paths[1])\n"
    "    return first, middle, last\n"
    "\n"
    "def close_all(files, mode):\n"
    "    for file in files:\n"
    "        file.close(mode=mode)\n";

class NaturalnessTest : public ::testing::Test {
 protected:
  void replace(const std::string& what, const std::string& with, const std::string& path = "m.py") {
    std::size_t at = std::string(kSource).find(what);
    ASSERT_NE(at, std::string::npos) << what;
    Candidate candidate;
    candidate.edits[path] = {Edit{Range{std::uint32_t(at), std::uint32_t(at + what.size())}, with}};
    candidates_.push_back(std::move(candidate));
  }

  double natural(std::size_t candidate) { return candidates_[candidate].features.at("natural"); }

  std::unique_ptr<SourceTree> tree_ = SourceTree::in_memory({{"m.py", kSource}, {"empty.py", ""}});
  std::vector<Candidate> candidates_;
};

TEST_F(NaturalnessTest, WhatTheFileDoesElsewhereIsMoreUsualThanWhatItNeverDoes) {
  replace("paths[1])", "paths[1], mode=mode)");
  replace("paths[1])", "paths[1], flags=other)");
  note_naturalness(candidates_, *tree_);
  EXPECT_GT(natural(0), natural(1));
  EXPECT_LT(natural(1), -1);
}

TEST_F(NaturalnessTest, AnEditThatChangesNoWordChangesNothing) {
  replace("middle = open", "middle  =  open");
  note_naturalness(candidates_, *tree_);
  EXPECT_DOUBLE_EQ(natural(0), 0);
}

TEST_F(NaturalnessTest, EditsOfOneLineAreTakenTogether) {
  replace("middle = open(paths[1])", "middle = open(paths[1], mode=mode)");
  replace("paths[1]", "paths[1], mode=mode");
  Candidate parts = candidates_[1];
  Edit& edit = parts.edits["m.py"].front();
  std::uint32_t end = edit.range.end;
  edit = insert_at(end, ", mode");
  parts.edits["m.py"].push_back(insert_at(end, "=mode"));
  candidates_.push_back(parts);
  note_naturalness(candidates_, *tree_);
  EXPECT_DOUBLE_EQ(natural(0), natural(1));
  EXPECT_DOUBLE_EQ(natural(0), natural(2));
}

TEST_F(NaturalnessTest, AnEditOutsideItsFileSaysNothing) {
  replace("return first", "return last", "empty.py");
  replace("return first", "return last", "missing.py");
  note_naturalness(candidates_, *tree_);
  EXPECT_DOUBLE_EQ(natural(0), 0);
  EXPECT_DOUBLE_EQ(natural(1), 0);
}

TEST_F(NaturalnessTest, DoesNotDependOnTheOrderOfCandidates) {
  replace("paths[1])", "paths[1], mode=mode)");
  replace("file.close", "file.shut");
  std::vector<Candidate> turned(candidates_.rbegin(), candidates_.rend());
  note_naturalness(candidates_, *tree_);
  note_naturalness(turned, *tree_);
  EXPECT_DOUBLE_EQ(natural(0), turned[1].features.at("natural"));
  EXPECT_DOUBLE_EQ(natural(1), turned[0].features.at("natural"));
}

}  // namespace
}  // namespace suture
