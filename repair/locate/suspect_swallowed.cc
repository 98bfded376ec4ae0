#include "repair/locate/scene.h"

namespace suture {
namespace {

/// Optional imports, ends of iterations, attributes looked up elsewhere when they are missing:
/// caught by design nearly always. What happened while modules were imported is over before the
/// failure.
bool is_usual(const LiveException& exception, const std::vector<TreeFrame>& frames) {
  return exception.type == "ModuleNotFoundError" || exception.type == "ImportError" ||
         exception.type == "StopIteration" || frames.back().function == "<module>" ||
         frames.front().function.find("__getattr") != std::string::npos;
}

}  // namespace

void suspect_swallowed(Scene& scene) {
  const Weights& weights = scene.weights();
  double score = weights.swallowed;
  const auto& swallowed = scene.evidence().swallowed;
  for (auto exception = swallowed.rbegin(); exception != swallowed.rend(); ++exception) {
    const auto frames = tree_frames(scene.tree(), exception->frames);
    if (frames.empty()) continue;
    double here = score;
    if (is_usual(*exception, frames)) here *= weights.swallowed_usual;
    for (const TreeFrame& frame : frames) {
      const StatementIndex* index = scene.statements(frame.file);
      if (index == nullptr) break;
      scene.suspects().add(*index, index->at(frame.line), Role::kSwallowed, here,
                           "raised " + exception->type + ", which was caught");
      here *= weights.caller_decay;
    }
    score *= weights.swallowed_decay;
  }
}

}  // namespace suture
