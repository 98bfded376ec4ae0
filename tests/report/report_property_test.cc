// Whatever is done to a report, reading it ends soon, does not crash, and gives what others rely
// on.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/report/report.h"

namespace suture {
namespace {

std::vector<std::string> golden_inputs() {
  std::vector<std::string> inputs;
  auto folder = std::filesystem::path(SUTURE_SOURCE_DIR) / "tests/golden/report";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    auto input = read_file(entry.path() / "input.txt");
    if (input) inputs.push_back(std::move(*input));
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

void expect_sound(const Failure& failure) {
  for (const Frame& frame : failure.frames) EXPECT_GE(frame.line, 0);
  EXPECT_EQ(to_valid_utf8(failure.message), failure.message);
  EXPECT_EQ(to_valid_utf8(failure.type), failure.type);
  EXPECT_EQ(failure.headline().find('\n'), std::string::npos);
}

void expect_sound(const std::string& text) {
  if (auto report = read_report(text)) {
    for (const Failure& failure : report->failures) expect_sound(failure);
    for (const Check& check : report->checks) EXPECT_TRUE(parse_check(check.display()));
  }
  expect_sound(failure_of_output(text));
}

TEST(ReportProperty, CutAnywhere) {
  std::mt19937 random(3);
  for (const std::string& input : golden_inputs()) {
    for (int round = 0; round < 30; ++round) {
      std::size_t first = random() % input.size();
      expect_sound(input.substr(first, random() % (input.size() - first + 1)));
    }
  }
}

TEST(ReportProperty, BytesChanged) {
  std::mt19937 random(4);
  for (const std::string& input : golden_inputs()) {
    for (int round = 0; round < 30; ++round) {
      std::string text = input;
      for (std::size_t n = 1 + random() % 20; n > 0; --n) {
        text[random() % text.size()] = static_cast<char>(random() % 256);
      }
      expect_sound(text);
    }
  }
}

TEST(ReportProperty, LinesShuffledAndMixed) {
  std::mt19937 random(5);
  std::vector<std::string> lines;
  for (const std::string& input : golden_inputs()) {
    for (std::string_view line : split_lines(input)) lines.emplace_back(line);
  }
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += lines[random() % lines.size()] + "\n";
    expect_sound(text);
  }
}

/// Texts made to hurt: each line starts something that could be searched to the end of the text.
class ReportPropertyTime : public testing::TestWithParam<const char*> {};

TEST_P(ReportPropertyTime, GrowsWithTheLength) {
  auto seconds = [&](std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += GetParam();
    auto start = std::clock();
    (void)read_report(text);
    (void)failure_of_output(text);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  // CPU time, so that a busy machine does not matter: 16 times the length may take 16 times as
  // long, not 256 times. The constant forgives what is too short to measure.
  double small = seconds(16 << 10);
  double large = seconds(256 << 10);
  EXPECT_LT(large, 60 * small + 0.5);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, ReportPropertyTime,
    testing::Values("\n", " ", "x", "a\n", "```\n", "E   x\n", "\x1b[", "\x1b]a", "a.py:1: in f\n",
                    "Traceback (most recent call last):\n", "  File \"x.py\", line 1, in f\n\n\n",
                    "Traceback (most recent call last):\n  File \"x\", line 1\nw: q\n",
                    "____ x ____\nE   ValueError: a\n", "FAILED a.py::t - ValueError: x\n",
                    "KeyError: x\n\nDuring handling of the above exception, another\n\n",
                    "KeyError    Traceback (most recent call last)\n",
                    "$ python x.py\nValueError: x\n",
                    "╭─ Traceback (most recent call last) ─╮\n│ a.py:1 in f │\n", "│ a\n",
                    "Thread 0x1 (most recent call first):\n  ...\n", "Fatal Python error: x\n\n",
                    "  + Exception Group Traceback (most recent call last):\n  +-+----- 1 -----\n",
                    "w: Traceback (most recent call last):\nw:   File \"x\", line 1, in f\n"));

}  // namespace
}  // namespace suture
