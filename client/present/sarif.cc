#include "client/present/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "client/present/sarif_parts.h"
#include "client/present/text.h"
#include "repair/base/digest.h"
#include "repair/base/text.h"
#include "repair/vcs/diff.h"

namespace suture {
namespace {

using sarif::artifact;
using sarif::code_points;
using sarif::Json;
using sarif::pascal_case;
using sarif::sentence;

/// Whole lines are replaced, so columns are 1 but where the file's last line has no line end.
Json deleted_region(const LineChange& change) {
  int end = change.old_line + int(change.removed.size());
  bool open_end = !change.removed.empty() && !change.removed.back().ends_with('\n');
  if (open_end) {
    return {{"startLine", change.old_line},
            {"startColumn", 1},
            {"endLine", end - 1},
            {"endColumn", code_points(to_valid_utf8(change.removed.back())) + 1}};
  }
  return {{"startLine", change.old_line}, {"startColumn", 1}, {"endLine", end}, {"endColumn", 1}};
}

Json replacement(const LineChange& change) {
  Json json{{"deletedRegion", deleted_region(change)}};
  if (!change.added.empty()) json["insertedContent"] = {{"text", join(change.added, "")}};
  return json;
}

/// One artifactChange a file.
Json artifact_changes(const std::string& diff) {
  std::map<std::string, Json> replacements;
  auto changes = line_changes(diff);
  if (!changes) return Json::array();
  for (const LineChange& change : *changes) {
    replacements.try_emplace(change.path, Json::array())
        .first->second.push_back(replacement(change));
  }
  Json all = Json::array();
  for (auto& [path, list] : replacements) {
    all.push_back({{"artifactLocation", artifact(path)}, {"replacements", std::move(list)}});
  }
  return all;
}

/// Stays the same when lines above move: from the rule, the file and the lines that the fix
/// replaces.
std::string fingerprint(const Proposal& proposal) {
  std::string text = proposal.candidate.pattern + '\n' + proposal.candidate.location.file + '\n';
  if (auto changes = line_changes(proposal.diff)) {
    for (const LineChange& change : *changes) {
      for (const std::string& line : change.removed) text.append(trim(line)).append("\n");
    }
  }
  return sha256(text).substr(0, 16) + ":1";
}

Json region(const Location& location) {
  Json json{{"startLine", std::max(location.line, 1)}};
  if (location.end_line > location.line) json["endLine"] = location.end_line;
  return json;
}

/// The rules in order of first use, and where each stands.
class Rules {
 public:
  explicit Rules(const JobContext& context) : context_(context) {}

  std::size_t index_of(const Candidate& candidate) {
    auto [entry, fresh] = index_.try_emplace(candidate.pattern, rules_.size());
    if (fresh) rules_.push_back(rule(candidate));
    return entry->second;
  }

  Json take() { return std::move(rules_); }

 private:
  Json rule(const Candidate& candidate) const {
    auto known = context_.rules.find(candidate.pattern);
    JobContext::Rule texts = known != context_.rules.end() ? known->second : JobContext::Rule{};
    if (texts.summary.empty()) texts.summary = fmt::format("Repair pattern {}", candidate.pattern);
    if (texts.rationale.empty()) texts.rationale = texts.summary;
    std::string help = fmt::format(
        "{}\n\nThe fix made the failing check pass when suture reran it. Read it before you merge "
        "it: `suture "
        "patterns show {}` says what this pattern does and when.",
        sentence(texts.rationale), candidate.pattern);
    return {{"id", candidate.pattern},
            {"name", pascal_case(candidate.pattern)},
            {"shortDescription", {{"text", sentence(texts.summary)}}},
            {"fullDescription", {{"text", sentence(texts.rationale)}}},
            {"help", {{"text", help}, {"markdown", help}}},
            {"properties", {{"tags", {candidate.family}}}}};
  }

  const JobContext& context_;
  std::map<std::string, std::size_t> index_;
  Json rules_ = Json::array();
};

Json rerun_of(const Proposal& proposal) {
  Json all = Json::array();
  for (const Rerun& run : proposal.rerun)
    all.push_back({{"what", run.what}, {"verdict", to_string(run.verdict)}});
  return all;
}

Json result_of(const Proposal& proposal, Rules& rules) {
  const Candidate& candidate = proposal.candidate;
  std::string text = sentence(candidate.cause.empty() ? candidate.summary : candidate.cause);
  return {{"ruleId", candidate.pattern},
          {"ruleIndex", rules.index_of(candidate)},
          {"level", "error"},
          {"message", {{"text", text}}},
          {"locations", Json::array({{{"physicalLocation",
                                       {{"artifactLocation", artifact(candidate.location.file)},
                                        {"region", region(candidate.location)}}}}})},
          {"partialFingerprints", {{"primaryLocationLineHash", fingerprint(proposal)}}},
          {"fixes", Json::array({{{"description", {{"text", sentence(candidate.summary)}}},
                                  {"artifactChanges", artifact_changes(proposal.diff)}}})},
          {"rank", 100.0 * proposal.confidence},
          {"properties",
           {{"confidence", proposal.confidence},
            {"candidate", candidate.id},
            {"rerun", rerun_of(proposal)},
            {"notRerun", proposal.not_rerun}}}};
}

Json invocation(const RepairResult& result) {
  bool worked = result.outcome != Outcome::kInfraError && result.outcome != Outcome::kCancelled;
  Json json{{"executionSuccessful", worked}};
  if (result.proposals.empty()) {
    json["toolExecutionNotifications"] =
        Json::array({{{"level", worked ? "note" : "error"},
                      {"message", {{"text", sentence(outcome_line(result))}}}}});
  }
  return json;
}

}  // namespace

std::string render_sarif(const RepairResult& result, const JobContext& context) {
  Rules rules(context);
  Json results = Json::array();
  for (const Proposal& proposal : result.proposals) results.push_back(result_of(proposal, rules));
  Json driver{{"name", "suture"}, {"semanticVersion", context.version}, {"rules", rules.take()}};
  Json run{
      {"tool", {{"driver", std::move(driver)}}},
      {"columnKind", "unicodeCodePoints"},
      {"originalUriBaseIds",
       {{"%SRCROOT%", {{"description", {{"text", "The root of the tree that was repaired."}}}}}}},
      {"invocations", Json::array({invocation(result)})},
      {"results", std::move(results)}};
  if (!context.origin.empty() && !context.revision.empty()) {
    run["versionControlProvenance"] = Json::array({{{"repositoryUri", context.origin},
                                                    {"revisionId", context.revision},
                                                    {"mappedTo", {{"uriBaseId", "%SRCROOT%"}}}}});
  }
  return sarif::document(std::move(run));
}

}  // namespace suture
