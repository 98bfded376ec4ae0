#include "repair/report/scanner.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "repair/report/classify.h"
#include "repair/report/crash_dump.h"
#include "repair/report/notebook_traceback.h"
#include "repair/report/torchrun.h"
#include "repair/report/unittest.h"

namespace suture::report {
namespace {

/// Walks over the lines of one stream, and gives each to the readers in turn.
class Scanner {
 public:
  Scanner(Lines lines, int rank, MessageEnd message_end, Findings& findings)
      : lines_(lines), rank_(rank), message_end_(message_end), findings_(findings) {}

  void run() {
    for (std::size_t at = 0; at < lines_.size();) {
      auto end = read(at);
      at = std::max(end.value_or(0), at + 1);
    }
  }

 private:
  /// The end of what starts at `at`, when something does.
  std::optional<std::size_t> read(std::size_t at) {
    std::string_view text = lines_[at].text;
    if (is_blank(text)) return std::nullopt;
    if (note_test_runner(lines_[at])) return std::nullopt;
    if (auto found = read_pytest_failure(lines_, at)) {
      if (auto section = pytest_section(text)) enter_section(std::move(*section));
      return keep(std::move(*found));
    }
    if (in_failures_ && section_.empty()) {
      if (auto found = read_pytest_line(lines_, at)) return keep(std::move(*found));
    }
    if (auto found = read_notebook_traceback(lines_, at, message_end_)) {
      return keep(std::move(*found));
    }
    if (auto found = read_traceback(lines_, at, message_end_)) return keep(std::move(*found));
    if (auto found = read_group_member(lines_, at, message_end_)) return keep(std::move(*found));
    if (auto found = read_crash_dump(lines_, at)) return keep(std::move(*found));
    return std::nullopt;
  }

  /// Follows where in a test runner's output the lines are; true when the line does only that.
  bool note_test_runner(const LogLine& line) {
    if (auto verdict = parse_pytest_verdict(line)) {
      findings_.verdicts.push_back(std::move(*verdict));
      findings_.has_test_runner = true;
      return true;
    }
    if (auto id = parse_unittest_header(line.text)) {
      unittest_id_ = *id;
      findings_.unittest_ids.push_back(std::move(*id));
      findings_.has_test_runner = true;
      return true;
    }
    if (!is_rule(line.text) || line.text[0] == '_') return false;
    if (line.text.find(" Captured ") != line.text.npos) {
      captured_ = true;
    } else if (line.text[0] == '=') {
      in_failures_ = line.text.find(" FAILURES ") != line.text.npos ||
                     line.text.find(" ERRORS ") != line.text.npos;
      findings_.has_test_runner = findings_.has_test_runner || in_failures_;
      captured_ = false;
      section_.clear();
      unittest_id_.clear();
    }
    return true;
  }

  void enter_section(std::string section) {
    section_ = std::move(section);
    captured_ = false;
    findings_.has_test_runner = true;
  }

  std::size_t keep(Found found) {
    for (Finding& finding : found.findings) {
      if (rank_ >= 0) finding.failure.rank = rank_;
      if (finding.test_name.empty() && !captured_) finding.test_name = section_;
      if (captured_) finding.weight = std::max(finding.weight, Weight::kCaptured);
      if (!unittest_id_.empty()) finding.failure.test_ids.push_back(unittest_id_);
      findings_.failures.push_back(std::move(finding));
    }
    return found.end;
  }

  Lines lines_;
  int rank_;
  MessageEnd message_end_;
  Findings& findings_;
  bool in_failures_ = false;  ///< below pytest's rule "FAILURES" or "ERRORS"
  bool captured_ = false;     ///< in what pytest captured from the test
  std::string section_;       ///< the pytest section's name
  std::string unittest_id_;
};

/// An exception's line that stands alone: "ValueError: x".
std::optional<Finding> bare_exception(const LogLine& line) {
  constexpr std::size_t kMaxLine = 4000;  // nobody's message; data
  if (line.text.size() > kMaxLine) return std::nullopt;
  auto exception = parse_exception_line(line.text);
  if (!exception || !looks_like_exception_name(exception->type)) return std::nullopt;
  return finding_of_chain({{std::move(exception->type), std::move(exception->message), {}}},
                          line.number);
}

std::optional<Finding> bare_exception_at_end(Lines lines) {
  auto last = std::find_if(lines.rbegin(), lines.rend(),
                           [](const LogLine& line) { return !is_blank(line.text); });
  return last == lines.rend() ? std::nullopt : bare_exception(*last);
}

}  // namespace

void scan_part(const std::vector<LogLine>& lines, MessageEnd message_end, Findings& findings) {
  for (const LogStream& stream : split_streams(lines)) {
    std::size_t before = findings.failures.size();
    Scanner(stream.lines, stream.rank, message_end, findings).run();
    if (stream.rank >= 0) findings.is_distributed = true;
    if (findings.failures.size() > before) continue;
    if (auto bare = bare_exception_at_end(stream.lines)) {
      bare->failure.rank = stream.rank;
      findings.failures.push_back(std::move(*bare));
    }
  }
}

std::optional<Finding> bare_exception_anywhere(Lines lines) {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->text.find(": ") == line->text.npos) continue;
    if (auto finding = bare_exception(*line)) return finding;
  }
  return std::nullopt;
}

}  // namespace suture::report
