#include <algorithm>

#include "repair/base/text.h"
#include "repair/locate/called_functions.h"
#include "repair/locate/scene.h"
#include "repair/locate/value_expressions.h"
#include "repair/locate/value_tracer.h"

namespace suture {
namespace {

/// A value that fits neither the message nor the place of the failure.
constexpr double kUnlikely = 0.6;
/// Functions whose value the check may have compared.
constexpr std::size_t kMaxCompared = 20;

/// "3, 4" for a tensor of shape (3, 4), as messages print it.
std::string shape_text(const Value& value) {
  std::vector<std::string> parts;
  for (const auto size : value.shape) parts.push_back(std::to_string(size));
  return join(parts, ", ");
}

/// Whether the message speaks of a value like this one.
bool offends(const Scene& scene, const Value& value) {
  if (scene.message().quoted.contains(value.type)) return true;
  const LiveException* failure = scene.evidence().failure();
  return failure != nullptr && !value.shape.empty() &&
         failure->message.find(shape_text(value)) != std::string::npos;
}

/// Expressions within the columns of the instruction that failed; empty when they are unknown.
std::vector<std::string> expressions_at_failure(const SourceFile& file, const Statement& statement,
                                                const TreeFrame& frame) {
  if (frame.live == nullptr || !frame.live->at.has_columns()) return {};
  const SourceRange& at = frame.live->at;
  const Range range{file.line_start(at.line) + std::uint32_t(at.column),
                    file.line_start(at.end_line) + std::uint32_t(at.end_column)};
  if (!statement.node.range().contains(range)) return {};
  return value_expressions(file.node_at(range));
}

double score_of(const Scene& scene, const std::string& expression, const TreeFrame& frame,
                bool close) {
  const Weights& weights = scene.weights();
  const double score = close ? weights.origin : weights.origin_plain;
  if (frame.live == nullptr) return score;
  const Value* value = lookup(frame.live->locals, expression);
  if (value == nullptr || !value->known()) return score;
  if (offends(scene, *value)) return weights.origin;
  return close ? score : score * kUnlikely;
}

/// Values on the failing line, the likeliest offenders first.
void trace_failing_line(Scene& scene, ValueTracer& tracer) {
  const TreeFrame& frame = scene.frames().front();
  const StatementIndex* index = scene.statements(frame.file);
  const int failing = index == nullptr ? -1 : index->at(frame.line);
  if (failing < 0 || index->file().language() != Language::kPython) return;
  const Statement& statement = (*index)[failing];
  const auto near = expressions_at_failure(index->file(), statement, frame);
  std::vector<std::pair<double, std::string>> scored;
  for (const std::string& expression : value_expressions(statement.node)) {
    const bool close = std::find(near.begin(), near.end(), expression) != near.end();
    scored.emplace_back(score_of(scene, expression, frame, close), expression);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [score, expression] : scored) {
    tracer.trace({expression, index, failing, 0}, score);
  }
}

/// Without a frame: what the functions returned that the check called to get what it compares.
void trace_compared(Scene& scene, ValueTracer& tracer) {
  const Weights& weights = scene.weights();
  std::size_t count = 0;
  for (const WeighedFunction& function : scene.called()) {
    if (!function.in_slice && !function.compared) continue;
    if (function.called->during_import || ++count > kMaxCompared) continue;
    const StatementIndex* index = scene.statements(function.called->file);
    if (index == nullptr) continue;
    const int header = index->function_starting_at(function.called->first_line);
    tracer.trace_returns({index, header}, weights.compared_return * function.weight);
  }
}

}  // namespace

void suspect_origins(Scene& scene) {
  ValueTracer tracer(scene);
  if (scene.frames().empty()) {
    trace_compared(scene, tracer);
  } else {
    trace_failing_line(scene, tracer);
  }
}

}  // namespace suture
