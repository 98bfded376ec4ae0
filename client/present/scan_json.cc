#include <nlohmann/json.hpp>

#include "client/present/scan_report.h"

namespace suture {
namespace {

using Json = nlohmann::ordered_json;

Json fix_of(const Finding& finding) {
  if (finding.fix.empty()) return nullptr;
  Json edits = Json::array();
  for (const FixStep& step : finding.fix) {
    edits.push_back({{"line", step.start.line},
                     {"column", step.start.column},
                     {"end_line", step.end.line},
                     {"end_column", step.end.column},
                     {"text", step.edit.text}});
  }
  return {{"safety", finding.safety == Pattern::Safety::kSafe ? "safe" : "suggest"},
          {"summary", finding.summary},
          {"edits", std::move(edits)}};
}

Json all_of(const std::vector<Finding>& findings, const ScanContext& context) {
  Json all = Json::array();
  for (const Finding& finding : findings) {
    auto rule = context.rules.find(finding.pattern);
    all.push_back({{"pattern", finding.pattern},
                   {"family", rule == context.rules.end() ? "" : rule->second.family},
                   {"file", finding.file},
                   {"line", finding.start.line},
                   {"column", finding.start.column},
                   {"end_line", finding.end.line},
                   {"end_column", finding.end.column},
                   {"message", finding.message},
                   {"fix", fix_of(finding)}});
  }
  return all;
}

}  // namespace

std::string scan_json(const ScanResult& result, const ScanContext& context) {
  Json warnings = Json::array(), written = Json::array();
  for (const ScanWarning& warning : result.warnings)
    warnings.push_back(
        {{"file", warning.file}, {"line", warning.line}, {"message", warning.message}});
  if (context.changes == ScanContext::Changes::kWritten) {
    for (const ScanResult::Changes& changes : result.changes) {
      for (const FileChange& change : changes.files)
        written.push_back((changes.folder / change.path).lexically_normal().generic_string());
    }
  }
  Json document{{"schema_version", 1},
                {"suture", context.version},
                {"files", result.files},
                {"patterns", context.rules.size()},
                {"findings", all_of(result.findings, context)},
                {"repaired", all_of(result.repaired, context)},
                {"written", std::move(written)},
                {"warnings", std::move(warnings)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace suture
