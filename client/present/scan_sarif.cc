#include <fmt/format.h>

#include "client/present/sarif_parts.h"
#include "client/present/scan_report.h"
#include "repair/base/digest.h"
#include "repair/base/text.h"

namespace suture {
namespace {

using sarif::artifact;
using sarif::Json;
using sarif::sentence;

Json region(const TextPlace& start, const TextPlace& end) {
  return {{"startLine", start.line},
          {"startColumn", start.column},
          {"endLine", end.line},
          {"endColumn", end.column}};
}

Json rule_of(const std::string& id, const ScanContext::Rule& rule) {
  std::string help = fmt::format(
      "{}\n\nFound by the code alone, no failure was seen. `suture patterns show {}` says more; "
      "the "
      "comment `# suture: ignore[{}]` on the line excuses it.",
      sentence(rule.rationale), id, id);
  return {{"id", id},
          {"name", sarif::pascal_case(id)},
          {"shortDescription", {{"text", sentence(rule.summary)}}},
          {"fullDescription", {{"text", sentence(rule.rationale)}}},
          {"help", {{"text", help}, {"markdown", help}}},
          {"properties", {{"tags", {rule.family}}}}};
}

/// Rules and results of one run.
class Run {
 public:
  explicit Run(const ScanContext& context) : context_(context) {}

  void add(const Finding& finding) {
    Json result{{"ruleId", finding.pattern},
                {"ruleIndex", index_of(finding.pattern)},
                {"level", "warning"},
                {"message", {{"text", sentence(finding.message)}}},
                {"locations", Json::array({{{"physicalLocation",
                                             {{"artifactLocation", artifact(finding.file)},
                                              {"region", region(finding.start, finding.end)}}}}})},
                {"partialFingerprints", {{"primaryLocationLineHash", fingerprint(finding)}}}};
    if (!finding.fix.empty()) result["fixes"] = Json::array({fix_of(finding)});
    results_.push_back(std::move(result));
  }

  Json take_rules() { return std::move(rules_); }
  Json take_results() { return std::move(results_); }

 private:
  std::size_t index_of(const std::string& id) {
    auto [entry, fresh] = index_.try_emplace(id, rules_.size());
    if (fresh) {
      auto known = context_.rules.find(id);
      rules_.push_back(rule_of(
          id, known == context_.rules.end() ? ScanContext::Rule{"", id, id} : known->second));
    }
    return entry->second;
  }

  static Json fix_of(const Finding& finding) {
    Json replacements = Json::array();
    for (const FixStep& step : finding.fix) {
      Json replacement{{"deletedRegion", region(step.start, step.end)}};
      if (!step.edit.text.empty()) replacement["insertedContent"] = {{"text", step.edit.text}};
      replacements.push_back(std::move(replacement));
    }
    return {{"description", {{"text", sentence(finding.summary)}}},
            {"artifactChanges", Json::array({{{"artifactLocation", artifact(finding.file)},
                                              {"replacements", std::move(replacements)}}})}};
  }

  /// Stays the same when lines above move; equal lines of a file are counted.
  std::string fingerprint(const Finding& finding) {
    std::string text =
        fmt::format("{}\n{}\n{}\n", finding.pattern, finding.file, trim(finding.line_text));
    return fmt::format("{}:{}", sha256(text).substr(0, 16), ++times_[text]);
  }

  const ScanContext& context_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, int> times_;
  Json rules_ = Json::array(), results_ = Json::array();
};

Json notification(const ScanWarning& warning) {
  Json place{{"artifactLocation", artifact(warning.file)}};
  if (warning.line > 0) place["region"] = {{"startLine", warning.line}};
  return {{"level", "warning"},
          {"message", {{"text", sentence(warning.message)}}},
          {"locations", Json::array({{{"physicalLocation", std::move(place)}}})}};
}

}  // namespace

std::string scan_sarif(const ScanResult& result, const ScanContext& context) {
  Run run(context);
  for (const Finding& finding : result.findings) run.add(finding);
  Json invocation{{"executionSuccessful", true}};
  for (const ScanWarning& warning : result.warnings)
    invocation["toolExecutionNotifications"].push_back(notification(warning));
  Json driver{
      {"name", "suture"}, {"semanticVersion", context.version}, {"rules", run.take_rules()}};
  return sarif::document(
      {{"tool", {{"driver", std::move(driver)}}},
       {"columnKind", "unicodeCodePoints"},
       {"originalUriBaseIds",
        {{"%SRCROOT%", {{"description", {{"text", "The folder that suture was started in."}}}}}}},
       {"invocations", Json::array({std::move(invocation)})},
       {"results", run.take_results()}});
}

}  // namespace suture
