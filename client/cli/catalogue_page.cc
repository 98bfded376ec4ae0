#include "client/cli/catalogue_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "repair/base/text.h"
#include "repair/report/failure.h"
#include "repair/vcs/diff.h"

namespace suture {
namespace {

constexpr std::string_view kHead = R"(# The catalogue

Written by `suture patterns page`, from the files below `patterns/`. The examples are the first test
of each pattern. A prior is how often the pattern is the answer where it applies, by kind of failure.
)";

/// What the record means, when there is one.
std::string head_of(const CatalogueRecord& record) {
  if (record.bugs == 0) return std::string(kHead) + "\n";
  return fmt::format(
      "{}The record is that of an evaluation on {} historical bugs: how many of the pattern's "
      "candidates\nwere tried, made the check pass, and were shown; a search ends with what it "
      "shows.\n\n",
      kHead, record.bugs);
}

std::string record_of(const Pattern& pattern, const CatalogueRecord& record) {
  auto found = record.patterns.find(pattern.id);
  if (found == record.patterns.end()) return "";
  const PatternRecord& one = found->second;
  return fmt::format(" Record: {} tried, {} green, {} shown.", one.tried, one.green, one.shown);
}

/// The changed lines of a test's fix, with what stands around them.
Result<std::string> example_of(const PatternTest& test) {
  std::vector<FileChange> changes;
  for (const auto& [path, after] : test.after) {
    auto before = test.before.find(path);
    changes.push_back(
        {path, before == test.before.end() ? std::optional<std::string>() : before->second, after});
  }
  TRY(std::string diff, unified_diff(std::move(changes)));
  std::string text;
  bool several = test.after.size() > 1;
  for (std::string_view line : split_lines(diff)) {
    bool head = line.starts_with("diff ") || line.starts_with("index ") ||
                line.starts_with("--- ") || line.starts_with("new file") || line.starts_with("@@");
    if (line.starts_with("+++ ")) {
      if (several) text += fmt::format("# {}\n", line.substr(6));
      continue;
    }
    if (!head) text += fmt::format("{}\n", line);
  }
  return text;
}

std::string priors_of(const Pattern& pattern) {
  std::string text;
  for (auto [kind, prior] : pattern.prior) text += fmt::format("{} {:g}, ", to_string(kind), prior);
  return text + fmt::format("otherwise {:g}", pattern.default_prior);
}

Result<std::string> entry_of(const Pattern& pattern, const CatalogueRecord& record) {
  std::string text =
      fmt::format("### {}\n\n{}.\n\n{}\n\n", pattern.id, pattern.summary, trim(pattern.rationale));
  if (!pattern.fixes.empty()) {
    const PatternTest& test = pattern.fixes.front();
    TRY(std::string example, example_of(test));
    text += fmt::format("{}{}:\n\n```diff\n{}```\n\n", test.name,
                        test.failure.empty() ? "" : fmt::format(" (`{}`)", test.failure), example);
  }
  if (pattern.fixes.empty() && !pattern.finds.empty()) {
    const PatternTest& test = pattern.finds.front();
    text +=
        fmt::format("{}:\n\n```python\n{}\n```\n\n", test.name, trim(test.before.begin()->second));
  }
  if (pattern.repairs()) text += fmt::format("Prior: {}.", priors_of(pattern));
  if (pattern.scan)
    text += fmt::format("{}`suture scan` says: {}.", pattern.repairs() ? " " : "",
                        pattern.scan->message);
  if (pattern.safety == Pattern::Safety::kSafe) text += " Always safe.";
  if (pattern.silencing && *pattern.silencing != Silencing::kNo)
    text += fmt::format(" Silencing ({}): tried last and withheld.", to_string(*pattern.silencing));
  return text + record_of(pattern, record) + "\n\n";
}

}  // namespace

Result<std::string> catalogue_page(const Catalogue& catalogue, const CatalogueRecord& record) {
  std::map<std::string, std::vector<const Pattern*>> families;
  for (const Pattern& pattern : catalogue.patterns()) families[pattern.family].push_back(&pattern);
  std::string contents, body;
  for (auto& [family, patterns] : families) {
    std::ranges::sort(patterns, {}, [](const Pattern* pattern) { return pattern->id; });
    contents += fmt::format("- [{}](#{}): {} patterns\n", family, family, patterns.size());
    body += fmt::format("\n## {}\n\n", family);
    for (const Pattern* pattern : patterns) {
      TRY(std::string entry, entry_of(*pattern, record));
      body += entry;
    }
  }
  return head_of(record) + contents + body;
}

}  // namespace suture
