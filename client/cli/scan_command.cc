#include "client/cli/scan_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client/cli/exit_code.h"
#include "client/cli/standard_output.h"
#include "client/cli/version.h"
#include "client/present/progress.h"
#include "client/present/scan_report.h"
#include "repair/base/file.h"
#include "repair/propose/catalogue.h"
#include "repair/scan/scan.h"
#include "repair/vcs/apply.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

struct ScanOptions {
  std::vector<std::string> paths = {"."};
  std::vector<std::string> patterns, only, exclude;
  std::string format = "text";
  bool apply = false;
  std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
};

/// One `suture scan` from options to exit code.
class ScanCommand {
 public:
  ScanCommand(const ScanOptions& options, const GlobalOptions& global, const Clock& clock)
      : options_(options), global_(global), clock_(clock), start_(clock.now()) {}

  int run() {
    auto result = scan_all();
    if (!result) return report_error(result.error());
    for (const ScanWarning& warning : result->warnings) {
      say(warning.line > 0 ? fmt::format("{}:{}: {}", warning.file, warning.line, warning.message)
                           : fmt::format("{}: {}", warning.file, warning.message));
    }
    Status written = write(*result);
    ScanFormat format = *scan_format_from(options_.format);
    Status shown = write_to_standard_output(render_scan(format, *result, context_));
    // A person does not read documents.
    if (format != ScanFormat::kText) say(scan_summary(*result));
    if (!written) return report_error(written.error());
    if (!shown) return report_error(shown.error());
    return result->findings.empty() ? kExitPatched : kExitNoPatch;
  }

 private:
  Result<ScanResult> scan_all() {
    std::vector<fs::path> folders = {share_folder("patterns")};
    folders.insert(folders.end(), options_.patterns.begin(), options_.patterns.end());
    TRY(Catalogue catalogue, Catalogue::load_static(folders));
    TRY_STATUS(catalogue.select(options_.only, options_.exclude));
    describe(catalogue);
    StaticPatterns patterns(catalogue);
    TRY(std::vector<ScanSource> sources,
        sources_to_scan({options_.paths.begin(), options_.paths.end()}, patterns));
    auto progress = make_progress(global_.verbosity, clock_);
    ScanPlan plan;
    plan.jobs = options_.jobs;
    if (options_.apply) plan.fixes = ScanPlan::Fixes::kSafe;
    plan.progress = [&](std::size_t done) { show(*progress, done, sources.size()); };
    return scan(sources, patterns, plan, global_.cancel);
  }

  void describe(const Catalogue& catalogue) {
    context_.version = version();
    context_.palette = palette_for(global_.colour, sink_of(STDOUT_FILENO), std::getenv);
    for (const Pattern& pattern : catalogue.patterns())
      context_.rules[pattern.id] = {pattern.family, pattern.summary, pattern.rationale};
  }

  /// Says nothing of what is over soon, and no more than a person can read.
  void show(EventSink& progress, std::size_t done, std::size_t files) {
    using namespace std::chrono_literals;
    Clock::TimePoint now = clock_.now();
    if (now - start_ < 2s || (shown_ != start_ && now - shown_ < 100ms)) return;
    shown_ = now;
    progress.emit(
        {"scan", fmt::format("{} of {} files", done, files), {{"done", done}, {"files", files}}});
  }

  Status write(const ScanResult& result) {
    for (const ScanResult::Changes& changes : result.changes)
      TRY_STATUS(apply_changes(changes.folder, changes.files));
    context_.changes = ScanContext::Changes::kWritten;
    return {};
  }

  void say(const std::string& text) const {
    if (global_.verbosity != Verbosity::kQuiet) std::cerr << "suture: " << printable(text) << '\n';
  }

  const ScanOptions& options_;
  const GlobalOptions& global_;
  const Clock& clock_;
  Clock::TimePoint start_, shown_ = start_;
  ScanContext context_;
};

CLI::Option* one_each(CLI::Option* option) { return option->allow_extra_args(false); }

}  // namespace

void add_scan_command(CLI::App& app, const GlobalOptions& global, const Clock& clock,
                      int& exit_code) {
  auto options = std::make_shared<ScanOptions>();
  ScanOptions& o = *options;
  CLI::App* command =
      app.add_subcommand("scan", "Find what is wrong by the code alone, without a failing check");
  command->add_option("path", o.paths, "Files and folders; default: the current folder")
      ->type_name("PATH");
  one_each(command->add_option("--only", o.only, "Only these patterns or families"))
      ->type_name("NAME,...")
      ->delimiter(',');
  one_each(command->add_option("--exclude", o.exclude, "Not these patterns or families"))
      ->type_name("NAME,...")
      ->delimiter(',');
  one_each(command->add_option("--patterns", o.patterns, "Folder of further patterns"))
      ->type_name("DIR")
      ->envname("SUTURE_PATTERNS");
  command->add_option("-f,--format", o.format, "Form of the result on standard output")
      ->check(CLI::IsMember({"text", "json", "sarif", "github"}))
      ->capture_default_str();
  command->add_flag("--apply", o.apply, "Write the fixes that are always safe");
  command->add_option("-j,--jobs", o.jobs, "Files at the same time; default: one a processor")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->footer(
      "Examples:\n"
      "  suture scan\n"
      "  suture scan src tests/test_x.py --only f-prefix,unreachable-statement\n"
      "  suture scan --format sarif > suture.sarif\n"
      "  suture scan --apply\n"
      "\n"
      "A comment on the line excuses a finding: # suture: ignore[f-prefix]\n"
      "What git ignores, hidden folders and code of others (third_party, vendor ...) are left "
      "out;\n"
      "a file that is named is scanned in any case.\n"
      "\n"
      "Exit codes: 0 nothing found, or all of it repaired; 1 findings; else `suture help "
      "exit-codes`.");
  command->callback([options, &global, &clock, &exit_code] {
    exit_code = ScanCommand(*options, global, clock).run();
  });
}

}  // namespace suture
