#include <cmath>

#include "repair/base/text.h"
#include "repair/locate/scene.h"

namespace suture {
namespace {

/// Factor that halves with each `halving` lines.
double nearness(int distance, double halving) { return std::exp2(-std::abs(distance) / halving); }

/// How many words of the failing line another statement shares, 0 to 1.
double shared_words(std::string_view failing, std::string_view other) {
  std::size_t shared = 0, all = 0;
  for (const std::string_view word : identifiers(failing)) {
    if (word == "self") continue;
    ++all;
    if (mentions_word(other, word)) ++shared;
  }
  return all == 0 ? 0 : double(shared) / double(all);
}

class FrameSource {
 public:
  FrameSource(Scene& scene, const TreeFrame& frame, double weight)
      : scene_(scene),
        weights_(scene.weights()),
        frame_(frame),
        weight_(weight),
        index_(scene.statements(frame.file)),
        statement_(index_ == nullptr ? -1 : index_->at(frame.line)) {}

  void add_line(Role role, std::string_view reason) {
    if (statement_ >= 0) {
      add(statement_, role, weight_, reason);
    } else {
      scene_.suspects().add_line(frame_.file, frame_.line, role, weight_, reason, frame_.distance);
    }
  }

  /// Conditions around the line, and the handlers of the `try` that it is in.
  void add_guards() {
    if (statement_ < 0) return;
    const bool raises = statement().kind == StatementKind::kRaise;
    double score = weight_ * (raises ? weights_.guard_of_raise : weights_.guard_of_failing);
    for (int at = statement().parent; at >= 0 && !(*index_)[at].is_def();
         at = (*index_)[at].parent) {
      const Statement& around = (*index_)[at];
      if (around.kind == StatementKind::kClass) break;
      add(at, Role::kExecuted, around.is_else() ? score * weights_.guard_decay : score,
          "decides whether the failing line runs");
      if (around.node.kind() == "try_statement") add_handlers(at, score);
      if (!around.is_else()) score *= weights_.guard_decay;
    }
  }

  /// All statements of the function, by distance and shared names.
  void add_function(double base) {
    if (statement_ < 0) return;
    const int function = statement().function;
    if (function < 0 && index_->file().language() == Language::kPython) return add_module(base);
    if (function < 0) return;
    add(function, Role::kExecuted,
        weight_ * weights_.failing_header * base / weights_.failing_function,
        "parameters of the function that failed");
    for (const int at : index_->of_function(function)) {
      if (at != statement_ && at != function) add_neighbour(at, base);
    }
  }

 private:
  const Statement& statement() const { return (*index_)[statement_]; }
  void add(int at, Role role, double score, std::string_view reason) {
    scene_.suspects().add(*index_, at, role, score, reason, frame_.distance);
  }

  void add_handlers(int tried, double score) {
    for (int at = tried + 1; at < int(index_->all().size()); ++at) {
      const Statement& clause = (*index_)[at];
      if (clause.line > (*index_)[tried].body_end_line) break;
      if (clause.parent == tried && clause.kind == StatementKind::kHandler) {
        add(at, Role::kExecuted, score, "does not catch the exception");
      }
    }
  }

  void add_neighbour(int at, double base) {
    const Statement& other = (*index_)[at];
    if (other.kind == StatementKind::kDocstring) return;
    const double near = nearness(frame_.line - other.line, weights_.distance_halving);
    const double words = shared_words(statement().text, other.text);
    const double floor = weights_.failing_function_floor;
    double score = weight_ * (floor + (base - floor) * std::min(1.0, 0.6 * near + 0.6 * words));
    if (other.kind == StatementKind::kLog) score *= weights_.kind_log;
    const bool before = other.line < frame_.line;
    if (!before || !scene_.ran(*index_, at)) score *= weights_.not_reached;
    add(at, Role::kExecuted, score,
        before ? "ran before the failing line in the same function"
               : "follows the failing line in the same function");
  }

  void add_module(double base) {
    for (const int at : index_->of_function(-1)) {
      if (at == statement_ || (*index_)[at].kind == StatementKind::kDocstring) continue;
      const double words = shared_words(statement().text, (*index_)[at].text);
      const double near = nearness(frame_.line - (*index_)[at].line, weights_.distance_halving);
      add(at, Role::kModule, weight_ * base * (0.5 * near + 0.5 * words),
          "at module level beside the failing line");
    }
  }

  Scene& scene_;
  const Weights& weights_;
  const TreeFrame& frame_;
  double weight_;
  const StatementIndex* index_;
  int statement_;
};

void suspect_chain(Scene& scene, const std::vector<TreeFrame>& frames, double weight) {
  const Weights& weights = scene.weights();
  for (const TreeFrame& frame : frames) {
    FrameSource source(scene, frame, weight);
    const bool innermost = frame.distance == 0;
    source.add_line(innermost ? Role::kFailing : Role::kCaller,
                    innermost ? "raised here" : "called what failed");
    source.add_guards();
    source.add_function(innermost ? weights.failing_function : weights.caller_function);
    weight *= weights.caller_decay;
  }
}

}  // namespace

void suspect_frames(Scene& scene) {
  const Weights& weights = scene.weights();
  suspect_chain(scene, scene.frames(), weights.failing_line);
  // Earlier exceptions of the chain, newest first. Live and printed chains tell the same.
  double weight = weights.cause_decay;
  const auto& live = scene.evidence().exceptions;
  if (live.size() > 1) {
    for (auto cause = live.rbegin() + 1; cause != live.rend(); ++cause) {
      suspect_chain(scene, tree_frames(scene.tree(), cause->frames), weight);
      weight *= weights.cause_decay;
    }
    return;
  }
  const auto& causes = scene.failure().causes;
  for (auto cause = causes.rbegin(); cause != causes.rend(); ++cause) {
    suspect_chain(scene, tree_frames(scene.tree(), cause->frames), weight);
    weight *= weights.cause_decay;
  }
}

}  // namespace suture
