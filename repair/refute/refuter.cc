#include "repair/refute/refuter.h"

#include <utility>

#include "repair/refute/call_rule.h"
#include "repair/refute/compile_rule.h"
#include "repair/refute/edited_file.h"

namespace suture {

std::string_view to_string(Refutation::Rule rule) {
  switch (rule) {
    case Refutation::Rule::kEdit:
      return "edit";
    case Refutation::Rule::kParse:
      return "parse";
    case Refutation::Rule::kName:
      return "name";
    case Refutation::Rule::kCall:
      return "call";
  }
  return "edit";
}

Refuter::Refuter(SourceTree& tree, std::string check_text)
    : tree_(tree), names_(tree), callees_(tree, std::move(check_text)) {}

std::optional<Refutation> Refuter::refute(
    const std::map<std::string, std::vector<Edit>>& edits,
    std::map<std::string, std::unique_ptr<SourceFile>> after) {
  std::lock_guard lock(mutex_);
  EditedTree edited(tree_, edits, std::move(after));
  for (const auto& [path, file] : edited.edited()) {
    if (auto why = compile_error(file)) return Refutation{Refutation::Rule::kParse, *why};
  }
  for (const auto& [path, file] : edited.edited()) {
    if (auto why = names_.refute(file)) return Refutation{Refutation::Rule::kName, *why};
  }
  for (const auto& [path, file] : edited.edited()) {
    if (auto why = call_error(path, edited, callees_))
      return Refutation{Refutation::Rule::kCall, *why};
  }
  return std::nullopt;
}

}  // namespace suture
