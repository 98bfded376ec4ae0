#include "repair/locate/scene.h"

namespace suture {

void suspect_swallowed(Scene& scene) {
  const Weights& weights = scene.weights();
  double score = weights.swallowed;
  const auto& swallowed = scene.evidence().swallowed;
  for (auto exception = swallowed.rbegin(); exception != swallowed.rend(); ++exception) {
    double here = score;
    for (const TreeFrame& frame : tree_frames(scene.tree(), exception->frames)) {
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
