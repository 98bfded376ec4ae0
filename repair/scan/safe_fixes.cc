#include "repair/scan/safe_fixes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "repair/syntax/source_file.h"

namespace suture {
namespace {

/// A fix can make room for another; more rounds than this would mean that two undo each other.
constexpr int kMostRounds = 8;

bool clash(const Edit& a, const Edit& b) {
  return a.range.overlaps(b.range) || (a.range.start == b.range.start && !(a == b));
}

std::vector<Edit> edits_of(const Finding& finding) {
  std::vector<Edit> edits;
  for (const FixStep& step : finding.fix) edits.push_back(step.edit);
  return edits;
}

/// The new text; nothing when it does not parse as well as the old one.
std::optional<std::string> applied(const std::string& path, const std::string& text,
                                   const std::vector<Edit>& edits) {
  auto changed = apply_edits(text, edits);
  auto original = SourceFile::parse(path, text, *language_of(path));
  if (!changed || !original || !check_syntax(**original, *changed)) return std::nullopt;
  return std::move(*changed);
}

}  // namespace

Result<SafelyFixed> fix_safely(const StaticPatterns& patterns, const std::string& path,
                               std::string text) {
  SafelyFixed result;
  result.text = std::move(text);
  std::set<std::string> refused;  // patterns whose fix broke the code
  for (int round = 0;; ++round) {
    TRY(result.left, patterns.in(path, result.text));
    std::vector<Edit> edits;
    std::vector<Finding> chosen;
    for (const Finding& finding : result.left.findings) {
      bool safe = finding.safety == Pattern::Safety::kSafe && !finding.fix.empty() &&
                  !refused.contains(finding.pattern);
      std::vector<Edit> own = edits_of(finding);
      bool free = std::none_of(own.begin(), own.end(), [&](const Edit& edit) {
        return std::any_of(edits.begin(), edits.end(),
                           [&](const Edit& other) { return clash(edit, other); });
      });
      if (!safe || !free) continue;
      edits.insert(edits.end(), own.begin(), own.end());
      chosen.push_back(finding);
    }
    if (chosen.empty() || round == kMostRounds) return result;
    std::optional<std::string> changed = applied(path, result.text, edits);
    if (!changed) {
      // Somewhere in it is one that breaks the code: the first alone, or it is not made at all.
      changed = applied(path, result.text, edits_of(chosen.front()));
      if (!changed) refused.insert(chosen.front().pattern);
      chosen.resize(changed ? 1 : 0);
    }
    if (changed) result.text = std::move(*changed);
    result.made.insert(result.made.end(), chosen.begin(), chosen.end());
  }
}

}  // namespace suture
