#include <gtest/gtest.h>

#include "repair/propose/pattern.h"
#include "repair/propose/pattern_test.h"

namespace suture {
namespace {

/// `$T[$K] = $V` matches by both alternatives, of which one does not bind `$K`.
constexpr const char* kPattern = R"yaml(id: double-entry
family: other
summary: "write `$V` twice"
cause: "It is written once."
rationale: For a test.
prior: {default: 0.1}
match:
  at: [failing]
  any: ["$TARGET = $V", "$T[$K] = $V"]
rewrites:
  - name: entry
    edits: [{replace: match, with: "$T[$K, $K] = $V"}]
tests:
  fixes:
    - name: an entry
      before: |
        table[key] = 1
      failing: table[key] = 1
      after: |
        table[key, key] = 1
    - name: another entry
      before: |
        def put(box, size, thing):
            box[size] = thing
      failing: box[size] = thing
      after: |
        def put(box, size, thing):
            box[size, size] = thing
  leaves:
    - name: no entry
      before: |
        table = 1
      failing: table = 1
    - name: none either
      before: |
        def put(box, size, thing):
            box.size = thing
      failing: box.size = thing
)yaml";

TEST(UnboundNames, ARewriteIsNotForAMatchThatDoesNotBindWhatItWrites) {
  auto pattern = load_pattern(kPattern, "double-entry.yaml");
  ASSERT_TRUE(pattern.has_value()) << pattern.error().display();
  auto outcomes = run_tests(*pattern);
  ASSERT_EQ(outcomes.size(), 4u);
  for (const TestOutcome& outcome : outcomes) {
    EXPECT_TRUE(outcome.passed()) << outcome.test->name << "\n" << outcome.shown;
    EXPECT_LE(outcome.candidates, 1u) << outcome.test->name;
  }
}

}  // namespace
}  // namespace suture
