#include "repair/locate/executed_conditions.h"

#include <algorithm>
#include <set>

#include "repair/locate/frames.h"
#include "repair/syntax/conditions.h"

namespace suture {
namespace {

/// The `def` whose code begins at a line: its first decorator's line, or its own.
Node function_at(const SourceFile& file, int line) {
  Node found;
  walk(file.root(), [&](Node node) {
    if (found || node.line() > line || node.end_line() < line) return false;
    if (node.is({"function_definition"})) {
      Node whole = node.parent().is({"decorated_definition"}) ? node.parent() : node;
      if (whole.line() == line || node.line() == line) found = node;
    }
    return !found;
  });
  return found;
}

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
  for (const CalledFunction* function : suspected.functions()) {
    const SourceFile* file = tree.source(function->file);
    if (file == nullptr || file->language() != Language::kPython) continue;
    Node node = function_at(*file, function->first_line);
    if (!node) continue;
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
