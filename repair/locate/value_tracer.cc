#include "repair/locate/value_tracer.h"

#include <algorithm>

#include "repair/base/text.h"
#include "repair/locate/value_expressions.h"

namespace suture {
namespace {

/// How far back a value is followed: through assignments, calls and callers together.
constexpr int kMaxSteps = 5;
/// Clues weaker than this are not worth following.
constexpr double kLeastScore = 0.05;
/// The object of a wrong attribute, the import of a wrong name: less likely than the thing itself.
constexpr double kIndirect = 0.6;

bool is_parameter(Node definition, const std::string& name) {
  const auto parameters = parameters_of(undecorated(definition));
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const ParameterSyntax& p) { return p.name == name; });
}

/// Whether a statement of a class gives its objects the attribute: on self, in the class body, or
/// as a property.
bool sets_attribute(const Statement& statement, const std::string& attribute) {
  for (const std::string& name : bound_names(statement)) {
    if (name == "self." + attribute || name == "cls." + attribute) return true;
    if (name == attribute && statement.function < 0) return true;
  }
  return statement.is_def() && undecorated(statement.node).field("name").text() == attribute;
}

/// Statements of a function in the order in which they can have made a value: those before the use,
/// nearest first, then those after it (loops, other paths).
std::vector<int> by_nearness(const StatementIndex& index, int function, int use) {
  auto body = index.of_function(function);
  std::stable_sort(body.begin(), body.end(), [use](int a, int b) {
    const bool a_after = a >= use, b_after = b >= use;
    if (a_after != b_after) return b_after;
    return a_after ? a < b : a > b;
  });
  return body;
}

}  // namespace

void ValueTracer::add(const StatementIndex& index, int statement, Role role, double score,
                      const std::string& reason) {
  scene_.suspects().add(index, statement, role, score, reason);
}

void ValueTracer::trace(const ValueUse& use, double score, int step) {
  if (step > kMaxSteps || score < kLeastScore || use.statement < 0) return;
  if (seen(use.index, use.statement, use.expression, score)) return;
  const std::size_t dot = use.expression.find('.');
  const std::string base = use.expression.substr(0, dot);
  const bool found = trace_bindings(use, score, step);
  if (base == "self" || base == "cls") {
    trace_attribute(use, score, step);
  } else if (dot != std::string::npos) {
    trace_foreign_attribute(use, score, step);
    trace({base, use.index, use.statement, use.frame}, score * kIndirect, step);
  } else if (!found) {
    trace_outer(use, score, step);
  }
}

bool ValueTracer::seen(const StatementIndex* index, int statement, const std::string& expression,
                       double score) {
  double& best = seen_[std::make_tuple(index, statement, expression)];
  if (score <= best) return true;
  best = score;
  return false;
}

bool ValueTracer::trace_bindings(const ValueUse& use, double score, int step) {
  const StatementIndex& index = *use.index;
  const int function = index[use.statement].function;
  if (function < 0) return false;
  bool found = false;
  for (const int at : by_nearness(index, function, use.statement)) {
    if (at == function || at == use.statement || !binds(index[at], use.expression)) continue;
    const bool ran = scene_.ran(index, at);
    const double here = ran ? score : score * weights_.origin_not_run;
    add(index, at, Role::kOrigin, here, "value of `" + use.expression + "` assigned here");
    trace_inputs(index, at, use.frame, here * weights_.origin_step, step + 1);
    if (ran) score *= weights_.origin_step;
    found = true;
  }
  if (is_parameter(index[function].node, use.expression)) {
    score *= weights_.origin_step;
    add(index, function, Role::kOrigin, score, "`" + use.expression + "` is a parameter here");
    trace_argument(use, score, step + 1);
    found = true;
  }
  return found;
}

void ValueTracer::trace_inputs(const StatementIndex& index, int statement, int frame, double score,
                               int step) {
  if (step > kMaxSteps || score < kLeastScore) return;
  const TreeFrame* live = frame < 0 ? nullptr : &scene_.frames()[std::size_t(frame)];
  for (const Node call : calls_in(index[statement])) {
    for (const FoundDefinition& callee : scene_.callees(call, live)) {
      trace_returns(callee, score, step + 1);
    }
  }
  const Node value = assigned_value(index[statement]);
  for (const std::string& expression : value_expressions(value ? value : index[statement].node)) {
    trace({expression, &index, statement, frame}, score, step);
  }
}

void ValueTracer::trace_returns(const FoundDefinition& function, double score, int step) {
  if (step > kMaxSteps || score < kLeastScore) return;
  if (!function || !(*function.index)[function.statement].is_def()) return;
  if (seen(function.index, function.statement, "return", score)) return;
  const StatementIndex& index = *function.index;
  int last = -1;
  // A procedure has no value to get wrong, unless a None was used that should have been one.
  bool valued = scene_.message().quoted.contains("NoneType");
  for (const int at : index.of_function(function.statement)) {
    if (index[at].function == function.statement) last = at;
    if (index[at].kind != StatementKind::kReturn) continue;
    valued = valued || index[at].node.named_child_count() > 0;
    const double here = scene_.ran(index, at) ? score : score * weights_.origin_not_run;
    add(index, at, Role::kReturned, here, "returns a value that is used there");
    trace_inputs(index, at, -1, here * weights_.origin_step, step + 1);
  }
  if (valued && last >= 0 && index[last].kind != StatementKind::kReturn &&
      scene_.ran(index, last)) {
    add(index, last, Role::kOrigin, score * weights_.origin_step,
        "the function may end here without a value");
  }
}

std::optional<ValueTracer::CallSite> ValueTracer::caller_of(const ValueUse& use) {
  std::string file;
  int line = 0, frame = -1;
  if (use.frame >= 0 && std::size_t(use.frame) + 1 < scene_.frames().size()) {
    const TreeFrame& caller = scene_.frames()[std::size_t(use.frame) + 1];
    file = caller.file;
    line = caller.line;
    frame = use.frame + 1;
  } else {
    const CalledFunction* called =
        scene_.call_of({use.index, (*use.index)[use.statement].function});
    if (called == nullptr || !scene_.tree().has(called->caller_file)) return std::nullopt;
    file = called->caller_file;
    line = called->caller_line;
  }
  const StatementIndex* index = is_test_path(file) ? nullptr : scene_.statements(file);
  const int statement = index == nullptr ? -1 : index->at(line);
  if (statement < 0) return std::nullopt;
  return CallSite{index, statement, frame};
}

void ValueTracer::trace_argument(const ValueUse& use, double score, int step) {
  const auto site = caller_of(use);
  if (!site) return;
  add(*site->index, site->statement, Role::kOrigin, score, "passes `" + use.expression + "` on");
  const Node function = undecorated((*use.index)[(*use.index)[use.statement].function].node);
  for (const Node call : calls_in((*site->index)[site->statement])) {
    const Node argument = argument_for(call, function, use.expression);
    if (!argument) continue;
    for (const std::string& expression : value_expressions(argument)) {
      trace({expression, site->index, site->statement, site->frame}, score, step);
    }
  }
}

void ValueTracer::trace_attribute(const ValueUse& use, double score, int step) {
  const int cls = (*use.index)[use.statement].cls;
  if (cls < 0) return;
  const std::string name(undecorated((*use.index)[cls].node).field("name").text());
  std::string attribute = use.expression.substr(use.expression.find('.') + 1);
  attribute = attribute.substr(0, attribute.find('.'));
  for (const Definition& known : scene_.tree().outline(use.index->file().path())) {
    if (known.kind != Definition::Kind::kClass || known.name != name) continue;
    trace_setters(known, attribute, use.frame, score, step);
    return;
  }
}

void ValueTracer::trace_foreign_attribute(const ValueUse& use, double score, int step) {
  if (use.frame < 0) return;
  const TreeFrame& frame = scene_.frames()[std::size_t(use.frame)];
  if (frame.live == nullptr) return;
  const std::size_t dot = use.expression.rfind('.');
  const Value* owner = lookup(frame.live->locals, use.expression.substr(0, dot));
  if (owner == nullptr || !owner->known() || owner->none()) return;
  const auto file = scene_.tree().file_of_module(owner->module);
  if (!file) return;
  for (const Definition& cls : scene_.tree().outline(*file)) {
    if (cls.kind == Definition::Kind::kClass && cls.name == owner->type) {
      trace_setters(cls, use.expression.substr(dot + 1), -1, score, step + 1);
    }
  }
}

void ValueTracer::trace_setters(const Definition& cls, const std::string& attribute, int frame,
                                double score, int step) {
  for (const Definition& owner : scene_.tree().class_and_bases(cls)) {
    const FoundDefinition found = scene_.find(owner);
    if (!found) continue;
    const StatementIndex& index = *found.index;
    for (int at = found.statement + 1; at < int(index.all().size()); ++at) {
      if (index[at].line > index[found.statement].body_end_line) break;
      if (index[at].cls != found.statement || !sets_attribute(index[at], attribute)) continue;
      const double here = scene_.ran(index, at) ? score : score * weights_.origin_not_run;
      add(index, at, Role::kOrigin, here, "`" + attribute + "` of the object is set here");
      if (index[at].is_def()) {
        trace_returns({&index, at}, here, step + 1);
      } else {
        trace_inputs(index, at, frame_of(index, at, frame), here * weights_.origin_step, step + 1);
      }
    }
    score *= weights_.origin_step;
  }
}

/// Only a statement of the function that a frame belongs to may use the frame's values.
int ValueTracer::frame_of(const StatementIndex& index, int statement, int frame) const {
  if (frame < 0) return -1;
  const TreeFrame& at = scene_.frames()[std::size_t(frame)];
  const bool same =
      at.file == index.file().path() && index.function_around(at.line) == index[statement].function;
  return same ? frame : -1;
}

void ValueTracer::trace_outer(const ValueUse& use, double score, int step) {
  const StatementIndex& index = *use.index;
  const int enclosing =
      index[use.statement].function < 0 ? -1 : index[index[use.statement].function].enclosing;
  score *= weights_.origin_step;
  for (int at = 0; at < int(index.all().size()); ++at) {
    const Statement& statement = index[at];
    const int owner = statement.is_def() ? statement.enclosing : statement.function;
    const bool visible = (owner < 0 && (statement.cls < 0 || statement.cls == at)) ||
                         (owner >= 0 && owner == enclosing);
    if (!visible || at == use.statement || !binds(statement, use.expression)) continue;
    if (statement.kind == StatementKind::kImport) {
      add_import(index, at, use.expression, score);
      continue;
    }
    add(index, at, Role::kDefinition, score, "defines `" + use.expression + "`");
    if (statement.kind == StatementKind::kAssignment) {
      trace_inputs(index, at, -1, score, step + 1);
    }
  }
}

void ValueTracer::add_import(const StatementIndex& index, int statement, const std::string& name,
                             double score) {
  add(index, statement, Role::kImport, score * kIndirect, "imports `" + name + "`");
  if (const FoundDefinition found = scene_.resolve(index.file().path(), name)) {
    add(*found.index, found.statement, Role::kDefinition, score * weights_.origin_step,
        "defines `" + name + "`");
  }
}

}  // namespace suture
