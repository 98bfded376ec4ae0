#include <algorithm>
#include <cmath>
#include <set>

#include "repair/base/text.h"
#include "repair/locate/called_functions.h"
#include "repair/locate/kind_weight.h"
#include "repair/locate/scene.h"
#include "repair/locate/value_tracer.h"

namespace suture {
namespace {

/// A check that runs more functions than this says little of most of them.
constexpr std::size_t kMaxFunctions = 250;
constexpr std::size_t kMaxFiles = 60;
/// Functions that ran only during import are looked at when they are few.
constexpr std::size_t kMaxImportFunctions = 40;

/// A statement that may be suspected, with what is needed to score it.
struct Suspect {
  const StatementIndex* index = nullptr;
  int statement = -1;
  const WeighedFunction* function = nullptr;
  bool ran = false;
  bool below_run = false;  ///< right below a condition that ran
};

class ExecutedSource {
 public:
  explicit ExecutedSource(Scene& scene)
      : scene_(scene), weights_(scene.weights()), tracer_(scene) {}

  void run() {
    std::size_t taken = 0, imports = 0;
    for (const WeighedFunction& function : scene_.called()) {
      if (function.called->during_import && ++imports > kMaxImportFunctions) continue;
      if (++taken > kMaxFunctions) break;
      collect(function);
    }
    count_words();
    for (const Suspect& suspect : suspects_) add(suspect);
  }

 private:
  void collect(const WeighedFunction& function) {
    const CalledFunction& called = *function.called;
    if (!files_.contains(called.file) && files_.size() >= kMaxFiles) return;
    const StatementIndex* index = scene_.statements(called.file);
    if (index == nullptr) return;
    files_.insert(called.file);
    int at = index->function_starting_at(called.first_line);
    if (at < 0) return collect_lines(function, *index);  // a lambda, a comprehension, a class body
    for (const int statement : index->of_function(at)) {
      if ((*index)[statement].kind == StatementKind::kDocstring) continue;
      Suspect suspect{index, statement, &function};
      suspect.ran = statement == at || ran(called, *index, statement);
      int parent = (*index)[statement].parent;
      if (parent >= 0 && (*index)[parent].is_else()) parent = (*index)[parent].parent;
      suspect.below_run = parent >= 0 && parent != at && ran(called, *index, parent);
      suspects_.push_back(suspect);
    }
  }

  void collect_lines(const WeighedFunction& function, const StatementIndex& index) {
    std::set<int> statements;
    for (const int line : function.called->lines) statements.insert(index.at(line));
    for (const int statement : statements) {
      if (statement >= 0) suspects_.push_back({&index, statement, &function, true, false});
    }
  }

  static bool ran(const CalledFunction& called, const StatementIndex& index, int statement) {
    // `else:` has no line of its own for a tracer; its first statement tells.
    if (index[statement].is_else() && statement + 1 < int(index.all().size())) ++statement;
    const auto line = called.lines.lower_bound(index[statement].line);
    return line != called.lines.end() && *line <= index[statement].end_line;
  }

  /// A word that stands in many of the statements tells little.
  void count_words() {
    for (const Suspect& suspect : suspects_) {
      std::set<std::string_view> seen;
      for (const std::string_view word : identifiers(text(suspect))) {
        if (scene_.check().words.contains(word) && seen.insert(word).second) ++counts_[word];
      }
    }
  }

  /// Of a `def` the parameters alone: its name has counted for the whole function already.
  static std::string_view text(const Suspect& suspect) {
    const Statement& statement = (*suspect.index)[suspect.statement];
    if (statement.is_def()) return undecorated(statement.node).field("parameters").text();
    return statement.text;
  }

  double rarity(std::string_view word) const {
    const auto count = counts_.find(word);
    return count == counts_.end() ? 0 : 1 / (1 + std::log2(double(count->second)));
  }

  /// 1 without shared words; more the more and the rarer they are.
  double word_factor(const Suspect& suspect) const {
    double amount = 0;
    std::set<std::string_view> seen;
    for (const std::string_view word : identifiers(text(suspect))) {
      const auto known = scene_.check().words.find(word);
      if (known == scene_.check().words.end() || !seen.insert(word).second) continue;
      amount += known->second * rarity(word);
    }
    return 1 + weights_.word_lift * amount / (amount + weights_.word_half);
  }

  /// Whether the statement sets an attribute, a keyword or a key that the check compares.
  bool sets_compared(const Suspect& suspect) const {
    const Statement& statement = (*suspect.index)[suspect.statement];
    if (statement.is_def() || statement.kind == StatementKind::kClass) return false;
    for (const std::string& name : bound_names(statement)) {
      const std::string last = name.substr(name.rfind('.') + 1);
      if (scene_.check().attributes.contains(last)) return true;
      if (scene_.check().compared.contains(last)) return true;
    }
    return false;
  }

  void add(const Suspect& suspect) {
    const Statement& statement = (*suspect.index)[suspect.statement];
    double score = suspect.function->weight * kind_weight(weights_, statement.kind);
    score *= word_factor(suspect) / (1 + weights_.word_lift);
    const bool sets = sets_compared(suspect);
    if (sets) score *= 1 + weights_.set_word_lift;
    if (!suspect.ran) score *= suspect.below_run ? weights_.skipped_branch : weights_.not_executed;
    score *= scene_.frames().empty() ? weights_.executed : weights_.executed_beside_frame;
    scene_.suspects().add(*suspect.index, suspect.statement, role(suspect, sets), score,
                          reason(suspect, sets));
    if (sets && suspect.ran && statement.kind == StatementKind::kAssignment) {
      tracer_.trace_inputs(*suspect.index, suspect.statement, -1, score * weights_.origin_step);
    }
  }

  static Role role(const Suspect& suspect, bool sets) {
    const StatementKind kind = (*suspect.index)[suspect.statement].kind;
    if (suspect.function->compared && kind == StatementKind::kReturn) return Role::kReturned;
    return sets && suspect.ran ? Role::kOrigin : Role::kExecuted;
  }

  static std::string reason(const Suspect& suspect, bool sets) {
    if (!suspect.ran) return "a branch of a function that the check called, not taken";
    if (sets) return "sets a name that the check compares";
    const int depth = suspect.function->depth;
    std::string text = "executed by the check";
    if (depth == 0) text += " in a function that it calls itself";
    if (depth > 0) text += ", " + std::to_string(depth + 1) + " calls deep";
    if (suspect.function->called->during_import) text += " while importing";
    if (suspect.function->compared) text += "; the function's value is the compared one";
    return text;
  }

  Scene& scene_;
  const Weights& weights_;
  ValueTracer tracer_;
  std::vector<Suspect> suspects_;
  std::set<std::string> files_;
  std::map<std::string_view, int> counts_;
};

}  // namespace

void suspect_executed(Scene& scene) { ExecutedSource(scene).run(); }

}  // namespace suture
