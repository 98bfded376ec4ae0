#include "client/present/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/present/format.h"
#include "tests/present/sample_result.h"

namespace suture {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::sample_patched;
using testing::sample_unpatched;
using ::testing::StartsWith;

TextStyle explained() { return {Palette::none(), Sink::kFile, TextStyle::Detail::kExplain}; }

TEST(Text, OfAPatchTellsAllAboutIt) {
  JobContext context;
  context.apply_command = "suture repair --check x --apply";
  EXPECT_EQ(render_text(sample_patched(), context, {}),
            "PATCHED: ask whether `x` is None (pkg/mod.py:2)\n"
            "\n"
            "diff --git a/pkg/mod.py b/pkg/mod.py\n"
            "index de98044..7be73ce 100644\n"
            "--- a/pkg/mod.py\n"
            "+++ b/pkg/mod.py\n"
            "@@ -1,3 +1,3 @@\n"
            " a\n"
            "-b\n"
            "+B\n"
            " c\n"
            "\n"
            "Cause:      `x` can be None here\n"
            "Confidence: high (0.82): only one candidate passes; its tests pass\n"
            "Rerun:      PASSED in 1.2 s  python -m pytest t.py::x\n"
            "            no other test of the tree reaches the edited lines\n"
            "Cost:       12.5 s, 4 check runs\n"
            "Next:       apply with: suture repair --check x --apply\n");
}

TEST(Text, AfterApplyingNamesTheFiles) {
  JobContext context;
  context.apply_command = "never shown";
  context.applied = {"pkg/mod.py"};
  std::string text = render_text(sample_patched(), context, {});
  EXPECT_THAT(text, HasSubstr("Applied:    pkg/mod.py\n"));
  EXPECT_THAT(text, Not(HasSubstr("never shown")));
}

TEST(Text, OfAFailureIsHonest) {
  std::string text = render_text(sample_unpatched(), {}, {});
  EXPECT_THAT(text,
              StartsWith("NO_PATCH: no candidate makes the check pass with enough confidence\n"));
  EXPECT_THAT(text,
              HasSubstr("Failure:    AttributeError: 'NoneType' object has no attribute 'get'\n"));
  EXPECT_THAT(text, HasSubstr("Missing:    no pattern offered the code"));
  EXPECT_THAT(text, HasSubstr("Suspects:   pkg/mod.py:2 in f: the line that raised\n"));
  EXPECT_THAT(text, HasSubstr("Tried:      12 candidates; 1 made the check pass\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "Withheld:   guard-none at pkg/mod.py:2: ask whether `x` is None; silences the check: "
          "swallows the exception; confidence low (0.10)"));
  EXPECT_THAT(text, Not(HasSubstr("@@"))) << "a withheld patch is not shown unasked";
}

TEST(Text, ExplainAddsPlacesTrialsTiersAndWithheldDiffs) {
  std::string text = render_text(sample_unpatched(), {}, explained());
  EXPECT_THAT(text, HasSubstr("  0.900  pkg/mod.py:2 in f: the line that raised\n"));
  EXPECT_THAT(
      text,
      HasSubstr("     1  FAILED         fresh      0.50s    2.500  drop-call/drop at pkg/mod.py:2: "
                "delete the "
                "call [silencing]\n        breaks t.py::y\n        split: reads its own source\n"));
  EXPECT_THAT(text, HasSubstr("     2  PASSED         split "));
  EXPECT_THAT(text, HasSubstr("  fresh      4\n"));
  EXPECT_THAT(text, HasSubstr("+B\n"));
  EXPECT_THAT(text, HasSubstr("0.40 s CPU of suture itself"));
}

TEST(Text, TellsWhatNoRunOfThisJobSaid) {
  RepairResult result = sample_patched();
  std::string plain = render_text(result, {}, explained());
  EXPECT_THAT(plain, Not(HasSubstr("Rejected without a run")));
  EXPECT_THAT(plain, Not(HasSubstr("cache")));
  result.trials[0].rejected_by = Refutation::Rule::kName;
  result.trials[1].origin = result.proposals[0].rerun[0].origin = Origin::kCache;
  result.costs.cached_runs = 7;
  std::string text = render_text(result, {}, explained());
  EXPECT_THAT(text, HasSubstr("Rejected without a run, by rule\n  name       1 (50.0 % of"));
  EXPECT_THAT(text, HasSubstr("ask [from the cache]\n"));
  EXPECT_THAT(text, HasSubstr("PASSED in 1.2 s (by an earlier job)  python -m pytest"));
  EXPECT_THAT(text, HasSubstr(", 7 from the cache of earlier jobs"));
}

TEST(Text, ColoursTheDiffOnATerminal) {
  TextStyle style{Palette::ansi(), Sink::kTerminal};
  std::string text = render_text(sample_patched(), {}, style);
  EXPECT_THAT(text, HasSubstr("\x1b[31m-b\x1b[0m\n\x1b[32m+B\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[36m@@ -1,3 +1,3 @@\x1b[0m\n"));
}

TEST(Text, NothingFromTheCheckSteersATerminal) {
  RepairResult result = sample_patched();
  result.proposals[0].diff = "+\x1b]0;title\x07\n";
  result.proposals[0].candidate.cause = "\x1b[2J";
  for (Palette palette : {Palette::none(), Palette::ansi()}) {
    std::string text = render_text(result, {}, {palette, Sink::kTerminal});
    EXPECT_THAT(text, Not(HasSubstr("\x1b]")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b[2J")));
    EXPECT_THAT(text, HasSubstr("\\x1b]0;title\\x07"));
  }
  EXPECT_THAT(render_text(result, {}, {}), HasSubstr("+\x1b]0;title\x07\n"))
      << "a file gets the patch's own bytes";
}

TEST(Text, EveryOutcomeSaysWhatToDoNext) {
  for (Outcome outcome :
       {Outcome::kNoPatch, Outcome::kNotReproduced, Outcome::kFlakyCheck, Outcome::kNoCheck,
        Outcome::kEnvironment, Outcome::kUnsupported, Outcome::kInfraError}) {
    RepairResult result;
    result.outcome = outcome;
    result.advice = "pip install 'torch<2'";
    std::string text = render_text(result, {}, {});
    EXPECT_THAT(text, StartsWith(std::string(to_string(outcome)))) << text;
    EXPECT_THAT(text, HasSubstr("\nNext:       ")) << text;
  }
}

TEST(Text, RecordsAWeakSandbox) {
  RepairResult result = sample_patched();
  result.weakenings = {"--no-sandbox"};
  EXPECT_THAT(render_text(result, {}, {}),
              HasSubstr("Sandbox:    weaker than usual: --no-sandbox\n"));
}

TEST(Format, WordsAndFormatsAreOneToOne) {
  for (const char* word : {"text", "json", "patch", "sarif"})
    EXPECT_EQ(to_string(*format_from(word)), word);
  EXPECT_FALSE(format_from("yaml"));
}

TEST(Format, PatchIsTheBestDiffAloneOrNothing) {
  RepairResult result = sample_patched();
  result.proposals.push_back(result.proposals[0]);
  EXPECT_EQ(render(Format::kPatch, result, {}, {}), result.proposals[0].diff);
  EXPECT_EQ(render(Format::kPatch, sample_unpatched(), {}, {}), "")
      << "what is withheld must not be piped to git apply";
}

}  // namespace
}  // namespace suture
