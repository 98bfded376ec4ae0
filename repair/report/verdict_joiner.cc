#include "repair/report/verdict_joiner.h"

#include <map>
#include <string_view>
#include <utility>

#include "repair/base/text.h"

namespace suture::report {

VerdictJoiner::VerdictJoiner(Findings& findings) : findings_(findings) {
  for (const PytestVerdict& verdict : findings.verdicts) {
    id_of_section_.try_emplace(section_name_of(verdict.node_id), verdict.node_id);
  }
}

void VerdictJoiner::run() {
  match_by_section();
  match_by_message();
  add_unexplained();
}

void VerdictJoiner::match_by_section() {
  for (Finding& finding : findings_.failures) {
    if (finding.test_name.empty()) continue;
    if (auto id = node_id_of(finding)) tie(finding, *id);
  }
}

/// The failing test that a section's name means: from the lines that name failing tests, else
/// from the test's own frame.
std::optional<std::string> VerdictJoiner::node_id_of(const Finding& finding) const {
  auto known = id_of_section_.find(finding.test_name);
  if (known != id_of_section_.end()) return known->second;
  if (finding.failure.frames.empty()) return std::nullopt;
  const Frame& first = finding.failure.frames.front();
  std::string_view name = finding.test_name;
  std::string_view bare = name.substr(0, name.find('['));
  std::size_t dot = bare.rfind('.');
  std::string_view function = dot == bare.npos ? bare : bare.substr(dot + 1);
  if (first.function != function || first.file.starts_with('/')) return std::nullopt;
  return first.file + "::" + replace_all(std::string(bare), ".", "::") +
         std::string(name.substr(bare.size()));
}

/// The style "line" prints no section headers: there what both lines print of the exception tells
/// which are of one test.
void VerdictJoiner::match_by_message() {
  std::multimap<std::string, Finding*> free;
  for (Finding& finding : findings_.failures) {
    const Failure& failure = finding.failure;
    if (!failure.test_ids.empty() || finding.weight == Weight::kCaptured) continue;
    bool is_assert = failure.message.starts_with("assert ");
    free.emplace(is_assert ? failure.message : failure.headline(), &finding);
  }
  for (const PytestVerdict& verdict : findings_.verdicts) {
    std::string_view message = verdict.message;
    if (message.ends_with("...")) message.remove_suffix(3);  // cut at the terminal's width
    if (message.empty() || explained_.contains(verdict.node_id)) continue;
    auto match = free.lower_bound(std::string(message));
    if (match == free.end() || !match->first.starts_with(message)) continue;
    tie(*match->second, verdict.node_id);
    free.erase(match);
  }
}

/// Tests that are only named fail too.
void VerdictJoiner::add_unexplained() {
  for (const PytestVerdict& verdict : findings_.verdicts) {
    auto exception = parse_exception_line(verdict.message);
    bool is_assert = verdict.message.starts_with("assert ");
    if ((!exception && !is_assert) || !explained_.insert(verdict.node_id).second) continue;
    ExceptionRecord record;
    record.type = is_assert ? "AssertionError" : exception->type;
    record.message = is_assert ? verdict.message : exception->message;
    Finding finding = finding_of_chain({std::move(record)}, verdict.line);
    finding.failure.test_ids.push_back(verdict.node_id);
    findings_.failures.push_back(std::move(finding));
  }
}

void VerdictJoiner::tie(Finding& finding, const std::string& node_id) {
  finding.failure.test_ids.push_back(node_id);
  explained_.insert(node_id);
}

}  // namespace suture::report
