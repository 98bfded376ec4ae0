#include "repair/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "repair/base/text.h"
#include "repair/report/clean_text.h"
#include "repair/report/markdown.h"
#include "repair/report/repro_script.h"
#include "repair/report/scanner.h"
#include "repair/report/torchrun.h"
#include "repair/report/verdict_joiner.h"

namespace suture {
namespace report {
namespace {

// A run that fails as a whole names thousands of tests; the first ones are enough to work on.
constexpr std::size_t kMaxChecks = 64;

/// What makes two failures one: several ranks, workers or reruns print the same.
std::string identity(const Failure& failure) {
  std::string key = failure.headline();
  for (const Frame& frame : failure.frames) key += fmt::format("\n{}:{}", frame.file, frame.line);
  return key;
}

void remove_repeats(std::vector<Finding>& findings) {
  std::unordered_set<std::string> seen;
  std::erase_if(findings, [&](const Finding& finding) {
    // Two tests that fail in the same way are two failures.
    std::string key = identity(finding.failure) + "\n" + join(finding.failure.test_ids, " ");
    return !seen.insert(std::move(key)).second;
  });
}

/// Most telling first.
void order(Findings& findings, std::optional<int> root_rank, bool is_one_log) {
  auto& failures = findings.failures;
  bool has_launcher = std::any_of(failures.begin(), failures.end(), [](const Finding& each) {
    return each.failure.type_name() == "ChildFailedError" || each.failure.rank >= 0;
  });
  bool is_distributed = findings.is_distributed || has_launcher;
  auto rank_order = [&](const Finding& each) { return each.failure.rank == root_rank ? 0 : 1; };
  std::stable_sort(failures.begin(), failures.end(), [&](const Finding& a, const Finding& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    if (root_rank && rank_order(a) != rank_order(b)) return rank_order(a) < rank_order(b);
    return a.line < b.line;
  });
  // One process ends with the exception that nothing caught; those before were only logged.
  // Members of a group stand side by side, so a text with wrappers keeps its order.
  bool has_wrapper = !failures.empty() && failures.back().weight == Weight::kWrapper;
  if (is_distributed || findings.has_test_runner || has_wrapper || !is_one_log) return;
  auto end = std::find_if(failures.begin(), failures.end(),
                          [](const Finding& each) { return each.weight != Weight::kRoot; });
  if (end - failures.begin() > 1) std::rotate(failures.begin(), end - 1, end);
}

std::vector<LogLine> numbered_lines(std::string_view text) {
  std::vector<LogLine> lines;
  for (std::string_view line : split_lines(text)) lines.push_back({line, lines.size()});
  return lines;
}

/// Reads a text in parts: each fenced block for itself, and what lies between two of them.
Findings find_in_parts(const std::vector<LogLine>& lines, const std::vector<Fence>& fences) {
  Findings findings;
  auto part = [&](std::size_t first, std::size_t last, MessageEnd message_end) {
    if (first >= last) return;
    auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
    auto end = lines.begin() + static_cast<std::ptrdiff_t>(last);
    scan_part({begin, end}, message_end, findings);
  };
  std::size_t at = 0;
  for (const Fence& fence : fences) {
    part(at, fence.first - 1, MessageEnd::kBlankLine);
    part(fence.first, fence.last, MessageEnd::kSomethingElse);
    at = std::min(fence.last + 1, lines.size());
  }
  part(at, lines.size(), MessageEnd::kBlankLine);
  return findings;
}

std::vector<Failure> finish(Findings& findings, const std::vector<LogLine>& lines,
                            bool is_one_log) {
  VerdictJoiner(findings).run();
  remove_repeats(findings.failures);
  order(findings, root_cause_rank(lines), is_one_log);
  std::vector<Failure> failures;
  for (Finding& finding : findings.failures) failures.push_back(std::move(finding.failure));
  return failures;
}

/// Collects checks, each once.
class CheckList {
 public:
  void add(Check check) {
    if (checks_.size() < kMaxChecks && seen_.insert(check.display()).second) {
      checks_.push_back(std::move(check));
    }
  }
  std::vector<Check> take() { return std::move(checks_); }

 private:
  std::vector<Check> checks_;
  std::set<std::string> seen_;
};

/// The commands typed at prompts whose output, up to the next prompt, has a failure.
std::vector<Check> failing_commands(const std::vector<LogLine>& lines, const Findings& findings) {
  std::vector<NamedCommand> commands;
  for (const LogLine& line : lines) {
    if (auto command = command_at_prompt(line)) commands.push_back(std::move(*command));
  }
  std::vector<Check> failing;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    std::size_t last = i + 1 < commands.size() ? commands[i + 1].line : lines.size();
    bool fails = std::any_of(
        findings.failures.begin(), findings.failures.end(),
        [&](const Finding& each) { return each.line > commands[i].line && each.line < last; });
    if (fails) failing.push_back(std::move(commands[i].check));
  }
  return failing;
}

std::vector<Check> named_checks(const std::vector<LogLine>& lines, const Findings& findings) {
  CheckList checks;
  for (const LogLine& line : lines) {
    if (auto command = command_said_to_fail(line)) checks.add(std::move(command->check));
  }
  for (const PytestVerdict& verdict : findings.verdicts) {
    Check check;
    check.command = {"python", "-m", "pytest", "-x", verdict.node_id};
    checks.add(std::move(check));
  }
  for (const std::string& id : findings.unittest_ids) {
    // A test of a script that was run directly cannot be named for another process.
    if (id.starts_with("__main__")) continue;
    Check check;
    check.command = {"python", "-m", "unittest", id};
    checks.add(std::move(check));
  }
  for (Check& check : failing_commands(lines, findings)) checks.add(std::move(check));
  return checks.take();
}

}  // namespace
}  // namespace report

Result<Report> read_report(std::string_view text) {
  if (text.size() > kMaxReportBytes) {
    return fail(
        ErrorKind::kBadInput,
        fmt::format("the report has {} bytes; at most {} are read", text.size(), kMaxReportBytes),
        "cut it down to the part with the failure, such as its last 10,000 lines");
  }
  if (looks_binary(text)) {
    return fail(ErrorKind::kBadInput, "the report is binary, not text",
                "give a log, a traceback or an issue's text, saved as UTF-8");
  }
  Report report;
  report.text = report::clean_text(text);
  if (trim(report.text).empty()) {
    return fail(
        ErrorKind::kBadInput, "the report is empty",
        "give a log, a traceback or an issue's text, or name the failing command by --check");
  }
  std::vector<report::LogLine> lines = report::numbered_lines(report.text);
  std::vector<report::Fence> fences = report::find_fences(lines);
  report::Findings findings = report::find_in_parts(lines, fences);
  if (findings.failures.empty() && findings.verdicts.empty()) {
    if (auto bare = report::bare_exception_anywhere(lines)) {
      findings.failures.push_back(std::move(*bare));
    }
  }
  report.checks = report::named_checks(lines, findings);
  report.failures = report::finish(findings, lines, fences.empty());
  for (const report::Fence& fence : fences) {
    if (auto script = report::script_of_fence(fence, lines)) {
      report.scripts.push_back(std::move(*script));
    }
  }
  return report;
}

Failure failure_of_output(std::string_view output) {
  // The end of an output says why it ended.
  if (output.size() > kMaxReportBytes) output = output.substr(output.size() - kMaxReportBytes);
  std::string text = report::clean_text(output);
  std::vector<report::LogLine> lines = report::numbered_lines(text);
  report::Findings findings;
  report::scan_part(lines, report::MessageEnd::kSomethingElse, findings);
  std::vector<Failure> failures = report::finish(findings, lines, true);
  if (!failures.empty()) return std::move(failures.front());

  Failure unknown;
  for (auto line = lines.rbegin(); line != lines.rend() && unknown.message.empty(); ++line) {
    unknown.message = trim(line->text);
  }
  return unknown;
}

}  // namespace suture
