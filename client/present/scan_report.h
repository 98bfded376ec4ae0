#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/present/palette.h"
#include "repair/scan/scan.h"

namespace suture {

/// The forms that findings can be written in.
enum class ScanFormat {
  kText,    ///< for people
  kJson,    ///< everything, one document
  kSarif,   ///< SARIF 2.1.0 with fixes
  kGithub,  ///< annotations of a GitHub workflow
};

/// "text", "json", "sarif", "github".
std::string_view to_string(ScanFormat format);
std::optional<ScanFormat> scan_format_from(std::string_view word);

/// What renderers say about a scan besides its result.
struct ScanContext {
  /// What a pattern's own file says about it.
  struct Rule {
    std::string family, summary, rationale;
  };
  std::string version;                ///< of suture
  std::map<std::string, Rule> rules;  ///< of all patterns that were looked for, by id
  /// Whether the changes of the result were written.
  enum class Changes { kProposed, kWritten } changes = Changes::kProposed;
  Palette palette = Palette::none();  ///< for text
};

/// What goes to standard output. Warnings are part of JSON and SARIF only: elsewhere they belong to
/// standard error.
std::string render_scan(ScanFormat format, const ScanResult& result, const ScanContext& context);

std::string scan_text(const ScanResult& result, const ScanContext& context);
std::string scan_json(const ScanResult& result, const ScanContext& context);
std::string scan_sarif(const ScanResult& result, const ScanContext& context);
std::string scan_github(const ScanResult& result);

/// "3 findings in 120 files, 1 of them safe to repair with --apply"
std::string scan_summary(const ScanResult& result);

}  // namespace suture
