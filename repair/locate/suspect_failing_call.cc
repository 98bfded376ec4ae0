#include "repair/locate/called_functions.h"
#include "repair/locate/scene.h"

namespace suture {
namespace {

/// The `def` of the callable that a TypeError names; for a generated `__init__` the class.
std::vector<FoundDefinition> wrongly_called(Scene& scene) {
  const std::string& callable = scene.message().callable;
  auto found = scene.named(callable);
  constexpr std::string_view kInit = ".__init__";
  if (found.empty() && callable.ends_with(kInit)) {
    found = scene.named(callable.substr(0, callable.size() - kInit.size()));
  }
  return found;
}

void add_callee(Scene& scene, const FoundDefinition& callee, double score, std::string_view why) {
  scene.suspects().add(*callee.index, callee.statement, Role::kCallee, score, why);
}

/// A special method that returned what Python does not take is on no stack any more: of the methods
/// of that name the one called last.
void suspect_special_method(Scene& scene) {
  const std::string& name = scene.message().returned_wrongly;
  const CalledFunction* last = nullptr;
  for (const WeighedFunction& function : scene.called()) {
    const CalledFunction& called = *function.called;
    bool named = !name.empty() && called.qualname.ends_with("." + name);
    if (named && (last == nullptr || called.order > last->order)) last = &called;
  }
  const StatementIndex* index = last == nullptr ? nullptr : scene.statements(last->file);
  const int def = index == nullptr ? -1 : index->function_starting_at(last->first_line);
  if (def < 0) return;
  for (const int statement : index->of_function(def)) {
    const Statement& found = (*index)[statement];
    if (found.kind != StatementKind::kReturn || !last->lines.contains(found.line)) continue;
    scene.suspects().add(*index, statement, Role::kReturned, scene.weights().returned_wrongly,
                         "returns what `" + name + "` must not");
  }
}

}  // namespace

void suspect_failing_call(Scene& scene) {
  const Weights& weights = scene.weights();
  if (scene.message().about_arguments()) {
    double score = weights.callee_header;
    for (const FoundDefinition& callee : wrongly_called(scene)) {
      add_callee(scene, callee, score, "does not take the arguments of the failing call");
      score *= weights.callee_sibling;
    }
  }
  suspect_special_method(scene);
  if (!scene.message().abstract_class.empty()) {
    for (const FoundDefinition& cls : scene.named(scene.message().abstract_class)) {
      add_callee(scene, cls, weights.callee_header, "lacks a method that its base demands");
    }
  }
  if (scene.frames().empty()) return;
  const TreeFrame& frame = scene.frames().front();
  const StatementIndex* index = scene.statements(frame.file);
  const int failing = index == nullptr ? -1 : index->at(frame.line);
  if (failing < 0) return;
  for (const Node call : calls_in((*index)[failing])) {
    for (const FoundDefinition& callee : scene.callees(call, &frame)) {
      add_callee(scene, callee, weights.callee_of_line, "called by the failing line");
    }
  }
}

}  // namespace suture
