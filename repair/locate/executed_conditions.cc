#include "repair/locate/executed_conditions.h"

#include <algorithm>
#include <map>
#include <set>

#include "repair/locate/frames.h"
#include "repair/locate/statements.h"
#include "repair/syntax/conditions.h"

namespace suture {
namespace {

/// Functions in the order in which they are suspected, each once.
class Suspected {
 public:
  Suspected(const Failure& failure, const Evidence& evidence, SourceTree& tree) {
    for (const TreeFrame& frame : failure_frames(tree, failure, evidence))
      add(evidence.function_at(frame.file, frame.line));
    std::vector<const CalledFunction*> called;
    for (const CalledFunction& function : evidence.called) {
      if (!function.during_import) called.push_back(&function);
    }
    std::ranges::stable_sort(called, [](const CalledFunction* a, const CalledFunction* b) {
      return a->order > b->order;
    });
    for (const CalledFunction* function : called) add(function);
  }

  const std::vector<const CalledFunction*>& functions() const { return functions_; }

 private:
  void add(const CalledFunction* function) {
    if (function == nullptr || is_test_path(function->file)) return;
    if (seen_.insert(function).second) functions_.push_back(function);
  }

  std::vector<const CalledFunction*> functions_;
  std::set<const CalledFunction*> seen_;
};

}  // namespace

std::vector<ExecutedCondition> executed_conditions(const Failure& failure, const Evidence& evidence,
                                                   SourceTree& tree) {
  std::vector<ExecutedCondition> found;
  Suspected suspected(failure, evidence, tree);
  std::map<const SourceFile*, StatementIndex> indexes;
  for (const CalledFunction* function : suspected.functions()) {
    const SourceFile* file = tree.source(function->file);
    if (file == nullptr || file->language() != Language::kPython) continue;
    const StatementIndex& index = indexes.try_emplace(file, *file).first->second;
    int definition = index.function_starting_at(function->first_line);
    if (definition < 0) continue;
    Node node = undecorated(index[definition].node);
    for (Node condition : conditions_in(node)) {
      // Of a condition of several lines the first need not be the one that the run notes.
      auto ran = function->lines.lower_bound(condition.line());
      if (ran == function->lines.end() || *ran > condition.end_line()) continue;
      found.push_back({function->file, condition.range(), condition.line(), qualified_name(node)});
    }
  }
  return found;
}

}  // namespace suture
