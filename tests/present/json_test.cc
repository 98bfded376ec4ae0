#include "client/present/json.h"

#include <gtest/gtest.h>

#include "tests/present/sample_result.h"

namespace suture {
namespace {

using nlohmann::json;
using testing::sample_patched;
using testing::sample_unpatched;

json parsed(const RepairResult& result) { return json::parse(render_json(result, {"0.1.0"})); }

TEST(Json, TopLevelKeysAreStable) {
  std::vector<std::string> keys;
  auto whole = to_json(sample_patched(), {});  // outlives the loop over its items
  for (const auto& [key, value] : whole.items()) keys.push_back(key);
  EXPECT_EQ(
      keys,
      (std::vector<std::string>{
          "schema_version", "suture_version", "outcome",    "reason",     "lack",
          "advice",         "base",           "check",      "failure",    "proposals",
          "withheld",       "applied",        "candidates", "plausible",  "rank_first_plausible",
          "locations",      "trials",         "rejections", "weakenings", "costs"}))
      << "adding a key is fine; a change of meaning or a removal needs a new schema_version";
}

TEST(Json, HoldsAllOfAPatch) {
  json all = parsed(sample_patched());
  EXPECT_EQ(all["schema_version"], 1);
  EXPECT_EQ(all["outcome"], "PATCHED");
  EXPECT_EQ(all["check"]["display"], "A=1 python -m pytest t.py::x");
  EXPECT_EQ(all["failure"]["headline"], "AttributeError: 'NoneType' object has no attribute 'get'");
  json proposal = all["proposals"][0];
  EXPECT_EQ(proposal["diff"], testing::sample_proposal().diff);
  EXPECT_EQ(proposal["pattern"], "guard-none");
  EXPECT_EQ(proposal["files"]["pkg/mod.py"]["edits"][0],
            (json{{"start", 6}, {"end", 7}, {"text", "B"}}));
  EXPECT_EQ(proposal["location"]["roles"], json::array({"failing"}));
  EXPECT_EQ(proposal["rerun"][0],
            (json{{"what", "python -m pytest t.py::x"}, {"verdict", "PASSED"}, {"origin", "run"}}));
  EXPECT_EQ(proposal["not_rerun"], "no other test of the tree reaches the edited lines");
  EXPECT_EQ(all["trials"][0]["reason"], "breaks t.py::y");
  EXPECT_EQ(all["trials"][0]["silencing"], to_string(Silencing::kDeletes));
  EXPECT_EQ(all["base"]["revision"], nullptr);
}

TEST(Json, TimesStandUnderCostsAndNowhereElse) {
  RepairResult slow = sample_patched();
  slow.costs = {99, 98, 97, 96, 95};
  slow.proposals[0].rerun[0].seconds = 94;
  for (Trial& trial : slow.trials) trial.seconds = 93;
  json a = parsed(sample_patched()), b = parsed(slow);
  EXPECT_NE(a, b);
  EXPECT_EQ(b["costs"]["trial_seconds"], json::array({93.0, 93.0}));
  EXPECT_EQ(b["costs"]["proposal_rerun_seconds"], json::parse("[[94.0]]"));
  a.erase("costs");
  b.erase("costs");
  EXPECT_EQ(a, b);
}

TEST(Json, TellsWhatStaticRejectionSavedByRule) {
  RepairResult result = sample_patched();
  json none = parsed(result);
  EXPECT_EQ(none["trials"][0]["rejected_by"], nullptr);
  EXPECT_EQ(none["rejections"]["call"], (json{{"candidates", 0}, {"share", 0.0}}));
  result.trials[0].rejected_by = Refutation::Rule::kCall;
  json one = parsed(result);
  EXPECT_EQ(one["trials"][0]["rejected_by"], "call");
  EXPECT_EQ(one["rejections"]["call"], (json{{"candidates", 1}, {"share", 0.5}}));
  EXPECT_EQ(one["rejections"]["name"]["candidates"], 0);
}

TEST(Json, TellsWhichVerdictsAnEarlierJobGave) {
  RepairResult result = sample_patched();
  result.trials[1].origin = result.proposals[0].rerun[0].origin = Origin::kCache;
  result.costs.cached_runs = 7;
  json all = parsed(result);
  EXPECT_EQ(all["trials"][0]["origin"], "run");
  EXPECT_EQ(all["trials"][1]["origin"], "cache");
  EXPECT_EQ(all["proposals"][0]["rerun"][0]["origin"], "cache");
  EXPECT_EQ(all["costs"]["cached_runs"], 7);
}

TEST(Json, NoCheckIsNull) {
  RepairResult result;
  result.outcome = Outcome::kNoCheck;
  EXPECT_EQ(parsed(result)["check"], nullptr);
}

TEST(Json, ForeignBytesComeASecondTimeInBase64) {
  RepairResult result = sample_patched();
  EXPECT_FALSE(parsed(result)["proposals"][0].contains("diff_base64"));
  result.proposals[0].diff = "caf\xe9";
  result.failure.message = "\xff\xfe";
  json proposal = parsed(result)["proposals"][0];
  EXPECT_EQ(proposal["diff"], "caf\xef\xbf\xbd");
  EXPECT_EQ(proposal["diff_base64"], "Y2Fm6Q==");
}

TEST(Json, WithheldPatchesAreThereAsSuch) {
  json all = parsed(sample_unpatched());
  EXPECT_EQ(all["proposals"].size(), 0u);
  EXPECT_EQ(all["withheld"].size(), 1u);
  EXPECT_EQ(all["lack"], "ingredient");
}

}  // namespace
}  // namespace suture
