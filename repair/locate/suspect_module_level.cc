#include <algorithm>
#include <cmath>
#include <set>

#include "repair/base/text.h"
#include "repair/locate/kind_weight.h"
#include "repair/locate/scene.h"

namespace suture {
namespace {

/// Files that the check does not import itself are looked at when so few ran.
constexpr std::size_t kMaxOtherFiles = 25;
/// Statements that share no word with the check, as a factor.
constexpr double kNoSharedWord = 0.25;

class ModuleLevelSource {
 public:
  explicit ModuleLevelSource(Scene& scene) : scene_(scene), weights_(scene.weights()) {}

  void run() {
    find_files();
    const auto& called = scene_.evidence().called;
    const bool anything_called = std::any_of(
        called.begin(), called.end(), [](const CalledFunction& f) { return !f.during_import; });
    double base = weights_.module_level;
    if (anything_called || !scene_.frames().empty()) base = weights_.module_level_beside;
    count_words();
    for (const auto& [path, weight] : files_) add_file(path, base * weight);
    add_named_definitions();
  }

 private:
  /// Files that the check imports or names count full, others that ran count less.
  void find_files() {
    for (const CheckImport& import : scene_.check().imports) {
      add_module(import.module);
      if (import.name.empty()) continue;
      add_module(import.module + "." + import.name);
      if (const FoundDefinition found = imported(import)) add_path(found.index->file().path(), 1);
    }
    for (const std::string& text : scene_.check().strings) {
      if (scene_.tree().has(text)) add_path(text, 1);
      add_module(text);
    }
    if (scene_.evidence().executed.size() > kMaxOtherFiles) return;
    for (const auto& [path, lines] : scene_.evidence().executed) {
      add_path(path, weights_.module_named);
    }
  }

  FoundDefinition imported(const CheckImport& import) {
    const auto file = scene_.tree().file_of_module(import.module);
    return file && !import.name.empty() ? scene_.resolve(*file, import.name) : FoundDefinition{};
  }

  void add_module(const std::string& module) {
    if (!is_module_name(module)) return;
    // The run knows best: a link gives one file two names.
    const auto& run = scene_.evidence().modules;
    if (const auto seen = run.find(module); seen != run.end()) return add_path(seen->second, 1);
    if (const auto file = scene_.tree().file_of_module(module)) add_path(*file, 1);
  }

  static bool is_module_name(std::string_view text) {
    const auto parts = split(text, '.');
    return std::all_of(parts.begin(), parts.end(),
                       [](const std::string& part) { return is_identifier(part); });
  }

  void add_path(const std::string& path, double weight) {
    if (is_test_path(path) || scene_.statements(path) == nullptr) return;
    double& known = files_[path];
    known = std::max(known, weight);
  }

  void count_words() {
    for (const auto& [path, weight] : files_) {
      const StatementIndex& index = *scene_.statements(path);
      for (const int at : index.of_function(-1)) {
        std::set<std::string_view> seen;
        for (const std::string_view word : identifiers(index[at].text)) {
          if (scene_.check().words.contains(word) && seen.insert(word).second) ++counts_[word];
        }
      }
    }
  }

  double shared_words(std::string_view text) const {
    double amount = 0;
    std::set<std::string_view> seen;
    for (const std::string_view word : identifiers(text)) {
      const auto known = scene_.check().words.find(word);
      if (known == scene_.check().words.end() || !seen.insert(word).second) continue;
      amount += known->second / (1 + std::log2(double(counts_.at(word))));
    }
    return amount / (amount + weights_.word_half);
  }

  void add_file(const std::string& path, double weight) {
    const StatementIndex& index = *scene_.statements(path);
    for (const int at : index.of_function(-1)) {
      const Statement& statement = index[at];
      if (statement.kind == StatementKind::kDocstring) continue;
      double score = weight * factor(statement.kind);
      score *= kNoSharedWord + (1 - kNoSharedWord) * shared_words(statement.text);
      if (!scene_.ran(index, at)) score *= weights_.not_reached;
      scene_.suspects().add(index, at, Role::kModule, score,
                            "at module level of a file that the check loads");
    }
  }

  double factor(StatementKind kind) const {
    if (kind == StatementKind::kImport) return weights_.module_import;
    if (kind == StatementKind::kDef || kind == StatementKind::kClass) {
      return weights_.module_definition;
    }
    if (kind == StatementKind::kAssignment) return weights_.module_constant;
    return kind_weight(weights_, kind);
  }

  /// Functions and classes that the check imports by name: their headers.
  void add_named_definitions() {
    for (const CheckImport& import : scene_.check().imports) {
      const FoundDefinition found = imported(import);
      if (!found || is_test_path(found.index->file().path())) continue;
      const bool is_class = (*found.index)[found.statement].kind == StatementKind::kClass;
      scene_.suspects().add(*found.index, found.statement, Role::kDefinition,
                            is_class ? weights_.named_class : weights_.named_definition,
                            "imported by the check");
    }
  }

  Scene& scene_;
  const Weights& weights_;
  std::map<std::string, double> files_;
  std::map<std::string_view, int> counts_;
};

}  // namespace

void suspect_module_level(Scene& scene) { ModuleLevelSource(scene).run(); }

}  // namespace suture
