#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "repair/base/text.h"
#include "repair/locate/scene.h"
#include "repair/locate/value_expressions.h"

namespace suture {
namespace {

/// How far back a value is followed: through assignments, calls and callers together.
constexpr int kMaxSteps = 4;
/// Clues weaker than this are not worth following further.
constexpr double kLeastScore = 0.08;
/// A value that fits neither the message nor the place of the failure.
constexpr double kUnlikely = 0.6;

/// "3, 4" for a tensor of shape (3, 4), as messages print it.
std::string shape_text(const Value& value) {
  std::vector<std::string> parts;
  for (const auto size : value.shape) parts.push_back(std::to_string(size));
  return join(parts, ", ");
}

/// Follows values back to the statements that made them.
class OriginSource {
 public:
  explicit OriginSource(Scene& scene) : scene_(scene), weights_(scene.weights()) {}

  void run() {
    if (scene_.frames().empty()) return;
    const TreeFrame& frame = scene_.frames().front();
    const StatementIndex* index = scene_.statements(frame.file);
    const int failing = index == nullptr ? -1 : index->at(frame.line);
    if (failing < 0 || index->file().language() != Language::kPython) return;
    const Statement& statement = (*index)[failing];
    const auto near = expressions_at_failure(*index, statement, frame);
    for (const std::string& expression : value_expressions(statement.node)) {
      const bool close = std::find(near.begin(), near.end(), expression) != near.end();
      const double score = score_of(expression, frame, close);
      trace({expression, index, failing, 0}, score, 0);
    }
  }

 private:
  struct Place {
    std::string expression;
    const StatementIndex* index;
    int statement;  ///< where the value is used
    int frame;      ///< index of the frame, or -1 when the function is in no frame of the failure
  };

  /// Expressions within the columns of the instruction that failed; empty when they are unknown.
  static std::vector<std::string> expressions_at_failure(const StatementIndex& index,
                                                         const Statement& statement,
                                                         const TreeFrame& frame) {
    if (frame.live == nullptr || !frame.live->at.has_columns()) return {};
    const SourceFile& file = index.file();
    const SourceRange& at = frame.live->at;
    const Range range{file.line_start(at.line) + std::uint32_t(at.column),
                      file.line_start(at.end_line) + std::uint32_t(at.end_column)};
    if (!statement.node.range().contains(range)) return {};
    Node node = file.node_at(range);
    // What is called, subscripted or asked for an attribute is the offender, its value included.
    auto found = value_expressions(node);
    if (node.is({"attribute", "call", "subscript"})) {
      Node object = node.named_child(0);
      if (object.is({"identifier", "attribute"})) found.emplace_back(object.text());
    }
    return found;
  }

  double score_of(const std::string& expression, const TreeFrame& frame, bool close) const {
    double score = close ? weights_.origin : weights_.origin_plain;
    if (frame.live == nullptr) return score;
    const Value* value = lookup(frame.live->locals, expression);
    if (value == nullptr || !value->known()) return score;
    if (offends(*value)) return weights_.origin;
    return close ? score : score * kUnlikely;
  }

  /// Whether the message speaks of a value like this one.
  bool offends(const Value& value) const {
    if (scene_.message().quoted.contains(value.type)) return true;
    if (value.shape.empty()) return false;
    const LiveException* failure = scene_.evidence().failure();
    return failure != nullptr && failure->message.find(shape_text(value)) != std::string::npos;
  }

  void add(const StatementIndex& index, int statement, Role role, double score,
           const std::string& reason) {
    scene_.suspects().add(index, statement, role, score, reason);
  }

  /// Where the value of an expression that is used at a place came from.
  void trace(const Place& use, double score, int step) {
    if (step > kMaxSteps || score < kLeastScore) return;
    const auto key = std::make_tuple(use.index, use.statement, use.expression);
    if (!seen_.insert(key).second) return;
    const std::size_t dot = use.expression.find('.');
    const std::string base = use.expression.substr(0, dot);
    const bool found = trace_bindings(use, use.expression, score, step);
    if (base == "self" || base == "cls") {
      trace_attribute(use, score, step);
    } else if (dot != std::string::npos) {
      trace_foreign_attribute(use, score);
      trace({base, use.index, use.statement, use.frame}, score * kUnlikely, step);
    } else if (!found) {
      trace_outer(use, score, step);
    }
  }

  /// Assignments of exactly this expression in the function, nearest before the use first; those
  /// after it (loops, other paths) last. Returns whether the name belongs to the function.
  bool trace_bindings(const Place& use, const std::string& expression, double score, int step) {
    const StatementIndex& index = *use.index;
    const int function = index[use.statement].function;
    if (function < 0) return false;
    auto body = index.of_function(function);
    std::stable_sort(body.begin(), body.end(), [&](int a, int b) {
      const bool a_after = a >= use.statement, b_after = b >= use.statement;
      if (a_after != b_after) return b_after;
      return a_after ? a < b : a > b;
    });
    bool found = false;
    for (const int at : body) {
      if (at == function || at == use.statement) continue;
      if (!binds(index[at], expression)) continue;
      const double here = scene_.ran(index, at) ? score : score * weights_.origin_not_run;
      add(index, at, Role::kOrigin, here, "value of `" + expression + "` assigned here");
      trace_right_side(index, at, use.frame, here, step);
      if (scene_.ran(index, at)) score *= weights_.origin_step;
      found = true;
    }
    if (is_parameter(index[function].node, expression)) {
      add(index, function, Role::kOrigin, score * weights_.origin_step,
          "`" + expression + "` is a parameter here");
      trace_argument(use, expression, score * weights_.origin_step, step + 1);
      found = true;
    }
    return found;
  }

  static bool is_parameter(Node definition, const std::string& name) {
    const auto parameters = parameters_of(undecorated(definition));
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const ParameterSyntax& p) { return p.name == name; });
  }

  /// The right side of an assignment: functions that returned it, names that went into it.
  void trace_right_side(const StatementIndex& index, int statement, int frame, double score,
                        int step) {
    score *= weights_.origin_step;
    const TreeFrame* live = frame < 0 ? nullptr : &scene_.frames()[std::size_t(frame)];
    for (const Node call : calls_in(index[statement])) {
      for (const FoundDefinition& callee : scene_.callees(call, live)) {
        add_returns(callee, score);
      }
    }
    const Node value = assigned_value(index[statement]);
    if (!value) return;
    for (const std::string& expression : value_expressions(value)) {
      trace({expression, &index, statement, frame}, score, step + 1);
    }
  }

  /// The return statements of a function, those that ran first; a `def` that can fall off its end.
  void add_returns(const FoundDefinition& callee, double score) {
    if (!callee || !(*callee.index)[callee.statement].is_def()) return;
    const StatementIndex& index = *callee.index;
    int last = -1;
    for (const int at : index.of_function(callee.statement)) {
      if (index[at].function == callee.statement) last = at;
      if (index[at].kind != StatementKind::kReturn) continue;
      const double here = scene_.ran(index, at) ? score : score * weights_.origin_not_run;
      add(index, at, Role::kOrigin, here, "returns a value that the failing line uses");
    }
    if (last >= 0 && index[last].kind != StatementKind::kReturn) {
      add(index, last, Role::kOrigin, score * weights_.origin_step,
          "the function may end here without a value");
    }
  }

  /// The argument that the caller's frame passed for a parameter.
  void trace_argument(const Place& use, const std::string& parameter, double score, int step) {
    if (use.frame < 0 || std::size_t(use.frame) + 1 >= scene_.frames().size()) return;
    const TreeFrame& caller = scene_.frames()[std::size_t(use.frame) + 1];
    const StatementIndex* index = scene_.statements(caller.file);
    const int call_line = index == nullptr ? -1 : index->at(caller.line);
    if (call_line < 0) return;
    add(*index, call_line, Role::kOrigin, score, "passes `" + parameter + "` on");
    const Node function = undecorated((*use.index)[(*use.index)[use.statement].function].node);
    for (const Node call : calls_in((*index)[call_line])) {
      const Node argument = argument_for(call, function, parameter);
      if (!argument) continue;
      for (const std::string& expression : value_expressions(argument)) {
        trace({expression, index, call_line, use.frame + 1}, score, step);
      }
    }
  }

  /// `self.x`: assignments in the class and its bases; what the class body gives.
  void trace_attribute(const Place& use, double score, int step) {
    const int cls = (*use.index)[use.statement].cls;
    if (cls < 0) return;
    Definition definition;
    definition.kind = Definition::Kind::kClass;
    definition.name = undecorated((*use.index)[cls].node).field("name").text();
    definition.file = use.index->file().path();
    for (const Definition& known : scene_.tree().outline(definition.file)) {
      if (known.kind == Definition::Kind::kClass && known.name == definition.name) {
        definition = known;
      }
    }
    std::string attribute = use.expression.substr(use.expression.find('.') + 1);
    attribute = attribute.substr(0, attribute.find('.'));
    add_setters(definition, attribute, use.frame, score, step);
  }

  void add_setters(const Definition& cls, const std::string& attribute, int frame, double score,
                   int step) {
    for (const Definition& owner : scene_.tree().class_and_bases(cls)) {
      const FoundDefinition found = scene_.find(owner);
      if (!found) continue;
      const StatementIndex& index = *found.index;
      for (int at = found.statement + 1; at < int(index.all().size()); ++at) {
        if (index[at].line > index[found.statement].body_end_line) break;
        if (index[at].cls != found.statement) continue;
        if (!sets_attribute(index[at], attribute)) continue;
        const double here = scene_.ran(index, at) ? score : score * weights_.origin_not_run;
        add(index, at, Role::kOrigin, here, "`" + attribute + "` of the object is set here");
        if (index[at].function != (found.statement)) {
          trace_right_side(index, at, frame_of(index, at, frame), here, step);
        }
      }
      score *= weights_.origin_step;
    }
  }

  /// Only a statement of the function that a frame belongs to may use the frame's values.
  int frame_of(const StatementIndex& index, int statement, int frame) const {
    if (frame < 0) return -1;
    const TreeFrame& at = scene_.frames()[std::size_t(frame)];
    const bool same = at.file == index.file().path() &&
                      index.function_around(at.line) == index[statement].function;
    return same ? frame : -1;
  }

  static bool sets_attribute(const Statement& statement, const std::string& attribute) {
    for (const std::string& name : bound_names(statement)) {
      if (name == "self." + attribute || name == "cls." + attribute) return true;
      if (name == attribute && statement.function < 0) return true;  // in the class body
    }
    return statement.is_def() &&
           undecorated(statement.node).field("name").text() == attribute;  // a property
  }

  /// `x.a`: where the class of x (known from the run) sets `a`.
  void trace_foreign_attribute(const Place& use, double score) {
    if (use.frame < 0) return;
    const TreeFrame& frame = scene_.frames()[std::size_t(use.frame)];
    if (frame.live == nullptr) return;
    const std::size_t dot = use.expression.rfind('.');
    const Value* owner = lookup(frame.live->locals, use.expression.substr(0, dot));
    if (owner == nullptr || !owner->known() || owner->none() || owner->type == "dict") return;
    const auto file = scene_.tree().file_of_module(owner->module);
    if (!file) return;
    for (const Definition& cls : scene_.tree().outline(*file)) {
      if (cls.kind == Definition::Kind::kClass && cls.name == owner->type) {
        add_setters(cls, use.expression.substr(dot + 1), -1, score, kMaxSteps);
      }
    }
  }

  /// A name of an enclosing function, of the module, or imported.
  void trace_outer(const Place& use, double score, int step) {
    const StatementIndex& index = *use.index;
    for (int at = 0; at < int(index.all().size()); ++at) {
      const Statement& statement = index[at];
      const bool outer = statement.function < 0 && statement.cls < 0;
      const bool enclosing = statement.function >= 0 &&
                             statement.function == index[use.statement].enclosing &&
                             statement.function != index[use.statement].function;
      if (!outer && !enclosing) continue;
      if (!binds(statement, use.expression)) continue;
      if (statement.kind == StatementKind::kImport) {
        add_import(index, at, use.expression, score);
        continue;
      }
      add(index, at, Role::kDefinition, score * weights_.origin_step,
          "defines `" + use.expression + "`");
      if (statement.kind == StatementKind::kAssignment) {
        trace_right_side(index, at, -1, score * weights_.origin_step, step + 1);
      }
    }
  }

  void add_import(const StatementIndex& index, int statement, const std::string& name,
                  double score) {
    add(index, statement, Role::kImport, score * weights_.origin_step * kUnlikely,
        "imports `" + name + "`");
    if (const FoundDefinition found = scene_.resolve(index.file().path(), name)) {
      add(*found.index, found.statement, Role::kDefinition,
          score * weights_.origin_step * weights_.origin_step, "defines `" + name + "`");
    }
  }

  Scene& scene_;
  const Weights& weights_;
  std::set<std::tuple<const StatementIndex*, int, std::string>> seen_;
};

}  // namespace

void suspect_origins(Scene& scene) { OriginSource(scene).run(); }

}  // namespace suture
