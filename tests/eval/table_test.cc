#include "client/eval/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/eval/lines.h"

namespace suture {
namespace {

using testing::HasSubstr;

ResultLine line(std::string id, std::string outcome, double seconds, std::int64_t runs,
                double cpu) {
  ResultLine made = plain_line(std::move(id), std::move(outcome));
  made.seconds = seconds;
  made.check_runs = runs;
  made.tiers = {{"fresh", runs}, {"split", 1000}};
  made.fresh_seconds = double(runs) * 2;  // a fresh run takes two seconds
  made.own_cpu_seconds = cpu;
  return made;
}

std::map<std::string, InstanceLabels> labels() {
  return {{"a", {"o/x", "conditional", "python"}},
          {"b", {"o/x", "parameter", "python"}},
          {"c", {"o/y", "parameter", "cpp"}},
          {"d", {"o/y", "", "cpp"}},
          {"e", {"o/y", "parameter", "python"}}};
}

std::vector<ResultLine> lines() {
  std::vector<ResultLine> list{line("a", "PATCHED", 10, 4, 1), line("b", "NO_PATCH", 20, 10, 3),
                               line("c", "NO_PATCH", 60, 30, 2),
                               line("d", "INFRA_ERROR", 999, 99, 99),
                               line("e", "FLAKY_CHECK", 2, 2, 0.2)};
  list[0].plausible = 2;
  list[1].plausible = 1;  // withheld
  list[1].reason = "budget: 5 candidates left";
  list[2].reason = "place: nothing found";
  list[4].reason = "placebo";
  return list;
}

const TableRow& row(const std::vector<TableRow>& rows, const std::string& name) {
  for (const TableRow& candidate : rows) {
    if (candidate.name == name) return candidate;
  }
  ADD_FAILURE() << "no row " << name;
  return rows.front();
}

TEST(Table, CountsAllButInfraErrors) {
  TableRow all = make_tables(lines(), labels()).all;
  EXPECT_EQ(all.bugs, 4u);
  EXPECT_EQ(all.infra, 1u);
  EXPECT_EQ(all.outcome("PATCHED"), 1u);
  EXPECT_EQ(all.outcome("NO_PATCH"), 2u);
  EXPECT_EQ(all.outcome("FLAKY_CHECK"), 1u);
  EXPECT_EQ(all.outcome("INFRA_ERROR"), 0u);
  EXPECT_EQ(all.plausible, 2u);
  EXPECT_EQ(all.check_runs, 46);
  EXPECT_DOUBLE_EQ(all.seconds, 92);
  EXPECT_DOUBLE_EQ(all.own_cpu_seconds, 6.2);
}

TEST(Table, Medians) {
  TableRow all = make_tables(lines(), labels()).all;
  EXPECT_DOUBLE_EQ(all.median_seconds, 15);
  EXPECT_DOUBLE_EQ(all.median_check_runs, 7);
  EXPECT_DOUBLE_EQ(all.median_own_cpu_seconds, 1.5);
  EXPECT_DOUBLE_EQ(all.median_cpu_per_check, 0.75);  // 0.1, 0.5, 1, 1.5
}

TEST(Table, WhatWasLacking) {
  TableRow all = make_tables(lines(), labels()).all;
  EXPECT_EQ(all.lacking, (std::map<std::string, std::size_t>{{"budget", 1}, {"place", 1}}));
}

TEST(Table, GroupsByProjectFamilyAndLanguage) {
  Tables tables = make_tables(lines(), labels());
  ASSERT_EQ(tables.by_project.size(), 2u);
  EXPECT_EQ(row(tables.by_project, "o/x").bugs, 2u);
  EXPECT_EQ(row(tables.by_project, "o/y").bugs, 2u);
  EXPECT_EQ(row(tables.by_project, "o/y").infra, 1u);
  EXPECT_EQ(row(tables.by_family, "parameter").bugs, 3u);
  EXPECT_EQ(row(tables.by_family, "conditional").outcome("PATCHED"), 1u);
  EXPECT_EQ(row(tables.by_family, "(none)").infra, 1u);
  EXPECT_EQ(row(tables.by_language, "python").bugs, 3u);
}

TEST(Table, ALineWithoutLabelsCountsInAllOnly) {
  Tables tables = make_tables({line("z", "PATCHED", 1, 1, 1)}, labels());
  EXPECT_EQ(tables.all.bugs, 1u);
  EXPECT_TRUE(tables.by_project.empty());
}

TEST(Table, NoLines) {
  Tables tables = make_tables({}, {});
  EXPECT_EQ(tables.all.bugs, 0u);
  EXPECT_THAT(to_text(tables), HasSubstr("all"));
}

TEST(Table, TextShowsTheOutcomesThatOccur) {
  std::string text = to_text(make_tables(lines(), labels()));
  EXPECT_THAT(text, HasSubstr("FLAKY_CHECK"));
  EXPECT_THAT(text, Not(HasSubstr("NOT_REPRODUCED")));
  EXPECT_THAT(text, HasSubstr("25.0"));
  EXPECT_THAT(text, HasSubstr("Lacking where no patch: budget 1, place 1."));
}

TEST(Table, JsonHasTheSameNumbers) {
  nlohmann::ordered_json json = to_json(make_tables(lines(), labels()));
  EXPECT_EQ(json["all"]["bugs"], 4);
  EXPECT_EQ(json["all"]["infra_errors"], 1);
  EXPECT_EQ(json["all"]["outcomes"]["PATCHED"], 1);
  EXPECT_EQ(json["by_project"].size(), 2u);
  EXPECT_EQ(json["by_family"][1]["name"], "conditional");
}

}  // namespace
}  // namespace suture
