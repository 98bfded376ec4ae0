#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repair/base/file.h"
#include "repair/propose/catalogue.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kTests = R"yaml(
tests:
  finds:
    - {name: a, before: "print(1)"}
    - {name: b, before: "def f(x): print(x)"}
  leaves:
    - {name: c, before: "log(1)"}
    - {name: d, before: "x.print(1)"}
)yaml";

/// A finding without a fix; `scan` and what follows it are the test's.
std::string pattern_with(std::string_view scan, std::string_view tests = kTests) {
  return "id: no-print\n"
         "family: other\n"
         "summary: leave out the print\n"
         "rationale: Programs that serve print nothing.\n"
         "match: {any: [\"print($$$ARGS)\"]}\n" +
         std::string(scan) + std::string(tests);
}

/// "line: message (hint)"
std::string mistake_of(const std::string& yaml) {
  auto pattern = load_pattern(yaml, "x.yaml");
  if (pattern) return "none";
  return std::to_string(pattern.error().where->line) + ": " + pattern.error().message + " (" +
         pattern.error().hint + ")";
}

TEST(ScanRule, AFindingNeedsNoRewrite) {
  auto pattern = load_pattern(pattern_with("scan: {message: prints $ARGS, repair: never}"), "x");
  ASSERT_TRUE(pattern) << pattern.error().display();
  EXPECT_FALSE(pattern->repairs());
  EXPECT_EQ(pattern->scan->at, "match");
  EXPECT_EQ(pattern->finds.size(), 2u);
}

TEST(ScanRule, MistakesDieAtLoadWithPlaceAndHint) {
  EXPECT_THAT(mistake_of(pattern_with("scan: {mesage: prints}")),
              HasSubstr("6: scan has no field `mesage` (did you mean `message`?)"));
  EXPECT_THAT(mistake_of(pattern_with("scan: {repair: never}")),
              HasSubstr("6: the field `message` is missing"));
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints, repair: no}")),
              HasSubstr("6: repair is `also` or `never`, not `no`"));
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints $WHAT, repair: never}")),
              HasSubstr("6: nothing binds `$WHAT`"));
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints, at: statment, repair: never}")),
              HasSubstr("6: no anchor `statment` (did you mean `statement`?)"));
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints, where: [{knd: x}], repair: never}")),
              HasSubstr("no predicate `knd` (did you mean `kind`?)"));
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints}")),
              HasSubstr("the field `rewrites` is missing or empty"));
  EXPECT_THAT(mistake_of(pattern_with("rewrites: [{name: a, edits: [{delete: match}]}]")),
              HasSubstr("two `fixes`"));
}

TEST(ScanRule, WantsTestsThatTellOfNoRun) {
  std::string tests = std::string(kTests);
  tests.replace(tests.find("print(x)\"}"), 10, "print(x)\", failure: TypeError}");
  tests.replace(tests.find("finds"), 5, "fixes");
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints, repair: never}", tests)),
              HasSubstr("`after` belongs to `fixes`"));
  constexpr std::string_view one_of_a_run = R"yaml(
tests:
  fixes:
    - {name: a, before: "print(1)", after: "pass"}
    - {name: b, before: "print(2)", after: "pass", failure: TypeError}
  leaves: [{name: c, before: "log(1)"}, {name: d, before: "x.print(1)"}]
rewrites: [{name: a, edits: [{delete: match}]}]
)yaml";
  EXPECT_THAT(mistake_of(pattern_with("scan: {message: prints, repair: never}", one_of_a_run)),
              HasSubstr("two tests that are found without a failure"));
}

TEST(ScanRule, PatternsWithoutOneAreNotEvenRead) {
  auto folder = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(folder);
  testing::write(folder->path() / "a.yaml", pattern_with("scan: {message: prints, repair: never}"));
  testing::write(folder->path() / "b.yaml", "id: : broken\n");
  auto catalogue = Catalogue::load_static({folder->path()});
  ASSERT_TRUE(catalogue) << catalogue.error().display();
  EXPECT_EQ(catalogue->patterns().size(), 1u);
  EXPECT_FALSE(Catalogue::load({folder->path()}));
}

}  // namespace
}  // namespace suture
