#include "repair/scan/scan.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/scan/safe_fixes.h"

namespace suture {
namespace {

/// One file's share of the result.
struct FileResult {
  std::vector<Finding> findings, repaired;
  std::vector<ScanWarning> warnings;
  std::optional<FileChange> change;
  bool scanned = false;
};

/// Whether a comment in the first two lines names another encoding (PEP 263).
bool declares_encoding(std::string_view text) {
  std::size_t end = text.find('\n');
  if (end != std::string_view::npos) end = text.find('\n', end + 1);
  std::string_view head = text.substr(0, end);
  static const RE2 form(R"((?m)^[ \t\f]*#.*?coding[:=][ \t]*[-_.a-zA-Z0-9]+)");
  return RE2::PartialMatch(re2::StringPiece(head.data(), head.size()), form);
}

void show_as(std::vector<Finding>& findings, const std::string& shown) {
  for (Finding& finding : findings) finding.file = shown;
}

FileResult scan_one(const ScanSource& source, const StaticPatterns& patterns,
                    ScanPlan::Fixes fixes) {
  FileResult result;
  auto warn = [&](std::string message, int line = 0) {
    result.warnings.push_back({source.shown, std::move(message), line});
  };
  auto language = language_of(source.path);
  if (!language || !patterns.cover(*language)) {
    warn("not scanned: no pattern is about files of this kind");
    return result;
  }
  auto text = read_file(source.folder / source.path);
  if (!text) {
    warn(fmt::format("not scanned: {}", text.error().message));
    return result;
  }
  if (!is_valid_utf8(*text) && !declares_encoding(*text) && !looks_binary(*text)) {
    warn("not scanned: it is not UTF-8 and names no other encoding");
    return result;
  }
  Result<SafelyFixed> fixed = SafelyFixed{};
  if (fixes == ScanPlan::Fixes::kSafe) {
    fixed = fix_safely(patterns, source.path, *text);
  } else {
    auto found = patterns.in(source.path, std::move(*text));
    if (found)
      fixed->left = std::move(*found);
    else
      fixed = tl::unexpected<Error>(found.error());
  }
  if (!fixed) {
    warn(fmt::format("not scanned: {}", fixed.error().message));
    return result;
  }
  result.scanned = true;
  if (fixed->left.unparsed_line > 0)
    warn("a part does not parse and was not scanned", fixed->left.unparsed_line);
  result.findings = std::move(fixed->left.findings);
  result.repaired = std::move(fixed->made);
  if (!result.repaired.empty())
    result.change = FileChange{source.path, std::move(*text), std::move(fixed->text)};
  show_as(result.findings, source.shown);
  show_as(result.repaired, source.shown);
  return result;
}

template <class T>
void move_to(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

ScanResult joined(const std::vector<ScanSource>& sources, std::vector<FileResult>& files) {
  ScanResult result;
  for (std::size_t i = 0; i < files.size(); ++i) {
    FileResult& file = files[i];
    result.files += file.scanned ? 1 : 0;
    move_to(file.findings, result.findings);
    move_to(file.repaired, result.repaired);
    move_to(file.warnings, result.warnings);
    if (!file.change) continue;
    if (result.changes.empty() || result.changes.back().folder != sources[i].folder)
      result.changes.push_back({sources[i].folder, {}});
    result.changes.back().files.push_back(std::move(*file.change));
  }
  return result;
}

}  // namespace

Result<ScanResult> scan(const std::vector<ScanSource>& sources, const StaticPatterns& patterns,
                        const ScanPlan& plan, const CancelToken& cancel) {
  std::vector<FileResult> files(sources.size());
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  auto work = [&] {
    for (std::size_t i = next++; i < sources.size() && !cancel.cancelled(); i = next++) {
      files[i] = scan_one(sources[i], patterns, plan.fixes);
      std::lock_guard lock(mutex);
      plan.progress(++done);
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < std::min(plan.jobs, sources.size()); ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (cancel.cancelled()) return fail(ErrorKind::kCancelled, "the scan was interrupted");
  return joined(sources, files);
}

}  // namespace suture
