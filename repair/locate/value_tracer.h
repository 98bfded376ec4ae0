#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "repair/locate/scene.h"

namespace suture {

/// Where an expression is used.
struct ValueUse {
  std::string expression;  ///< "x", "self.a", "x.b.c"
  const StatementIndex* index = nullptr;
  int statement = -1;
  int frame = -1;  ///< index in Scene::frames() of the frame it ran in; -1 when in none
};

/// Follows values back to the statements that made them: assignments in the function, attributes
/// set in the class, arguments passed by callers, values returned by callees, constants of the
/// module. Each step back makes the clue weaker; a statement and expression is followed once, so
/// strong uses come first.
class ValueTracer {
 public:
  explicit ValueTracer(Scene& scene) : scene_(scene), weights_(scene.weights()) {}

  /// Where the value of an expression came from.
  void trace(const ValueUse& use, double score, int step = 0);
  /// What went into a statement's value: names on its right side, functions that it calls.
  void trace_inputs(const StatementIndex& index, int statement, int frame, double score,
                    int step = 0);
  /// The statements that end a function: its returns and what they return; the end of a function
  /// that can end without a value.
  void trace_returns(const FoundDefinition& function, double score, int step = 0);

 private:
  struct CallSite {
    const StatementIndex* index = nullptr;
    int statement = -1;
    int frame = -1;
  };

  void add(const StatementIndex& index, int statement, Role role, double score,
           const std::string& reason);
  bool trace_bindings(const ValueUse& use, double score, int step);
  void trace_argument(const ValueUse& use, double score, int step);
  std::optional<CallSite> caller_of(const ValueUse& use);
  void trace_attribute(const ValueUse& use, double score, int step);
  void trace_foreign_attribute(const ValueUse& use, double score, int step);
  void trace_setters(const Definition& cls, const std::string& attribute, int frame, double score,
                     int step);
  void trace_outer(const ValueUse& use, double score, int step);
  void add_import(const StatementIndex& index, int statement, const std::string& name,
                  double score);
  int frame_of(const StatementIndex& index, int statement, int frame) const;

  Scene& scene_;
  const Weights& weights_;
  /// Whether this was followed already with at least this score; notes it when not.
  bool seen(const StatementIndex* index, int statement, const std::string& expression,
            double score);
  std::map<std::tuple<const StatementIndex*, int, std::string>, double> seen_;
};

}  // namespace suture
