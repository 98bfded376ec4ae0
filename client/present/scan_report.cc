#include "client/present/scan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::array kFormats = {ScanFormat::kText, ScanFormat::kJson, ScanFormat::kSarif,
                                 ScanFormat::kGithub};

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

bool safe(const Finding& finding) {
  return finding.safety == Pattern::Safety::kSafe && !finding.fix.empty();
}

/// Workflow commands end at a line end; properties also at a comma or colon.
std::string escaped(std::string_view text, std::string_view also) {
  std::string result;
  for (char c : text) {
    bool escape = c == '%' || c == '\r' || c == '\n' || also.find(c) != std::string_view::npos;
    result += escape ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

}  // namespace

std::string_view to_string(ScanFormat format) {
  switch (format) {
    case ScanFormat::kText:
      return "text";
    case ScanFormat::kJson:
      return "json";
    case ScanFormat::kSarif:
      return "sarif";
    case ScanFormat::kGithub:
      return "github";
  }
  return "text";
}

std::optional<ScanFormat> scan_format_from(std::string_view word) {
  auto at = std::ranges::find_if(kFormats, [&](ScanFormat f) { return to_string(f) == word; });
  return at == kFormats.end() ? std::nullopt : std::optional(*at);
}

std::string render_scan(ScanFormat format, const ScanResult& result, const ScanContext& context) {
  switch (format) {
    case ScanFormat::kText:
      return scan_text(result, context);
    case ScanFormat::kJson:
      return scan_json(result, context);
    case ScanFormat::kSarif:
      return scan_sarif(result, context);
    case ScanFormat::kGithub:
      return scan_github(result);
  }
  return {};
}

std::string scan_summary(const ScanResult& result) {
  std::string text =
      result.findings.empty() ? "no findings" : counted(result.findings.size(), "finding");
  text += " in " + counted(result.files, "file");
  if (!result.repaired.empty()) return text + fmt::format(", {} repaired", result.repaired.size());
  if (auto count = std::ranges::count_if(result.findings, safe); count > 0)
    text += fmt::format(", {} of them safe to repair with --apply", count);
  return text;
}

std::string scan_text(const ScanResult& result, const ScanContext& context) {
  const Palette& palette = context.palette;
  std::string text;
  auto head = [&](const Finding& finding) {
    return fmt::format("{}:{}:{}: {}", palette.bold(printable(finding.file)), finding.start.line,
                       finding.start.column, palette.yellow(finding.pattern));
  };
  for (const Finding& finding : result.repaired)
    text += fmt::format("{}: {}: {}\n", head(finding), palette.green("repaired"),
                        printable(finding.summary));
  for (const Finding& finding : result.findings) {
    text += fmt::format("{}: {}\n", head(finding), printable(finding.message));
    text +=
        fmt::format("    {}\n", palette.dim(printable(elide_middle(trim(finding.line_text), 160))));
    if (!finding.fix.empty())
      text += fmt::format("    {}: {}\n", palette.cyan(safe(finding) ? "safe fix" : "suggestion"),
                          printable(finding.summary));
  }
  return text + scan_summary(result) + "\n";
}

std::string scan_github(const ScanResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) {
    std::string place = fmt::format("file={},line={},col={}", escaped(finding.file, ",:"),
                                    finding.start.line, finding.start.column);
    place += fmt::format(",endLine={}", finding.end.line);
    if (finding.end.line == finding.start.line)
      place += fmt::format(",endColumn={}", finding.end.column);
    text += fmt::format("::warning {},title=suture ({})::{}\n", place, finding.pattern,
                        escaped(to_valid_utf8(finding.message), ""));
  }
  return text;
}

}  // namespace suture
