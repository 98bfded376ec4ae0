#include <algorithm>
#include <set>
#include <string>

#include "repair/base/text.h"
#include "repair/locate/scene.h"

namespace suture {
namespace {

constexpr std::size_t kMaxWords = 10;  ///< each costs a search through the tree's text
constexpr std::size_t kMaxDefinitions = 3;
constexpr std::size_t kLeastWordBytes = 5;
constexpr std::size_t kReadBytes = 64 << 10;

/// Whether a word of prose can only be an identifier: an underscore, or a capital inside.
bool looks_like_code(std::string_view word) {
  if (word.size() < kLeastWordBytes || word.starts_with("__")) return false;
  if (word.find('_') != std::string_view::npos) return true;
  const bool lower =
      std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return lower &&
         std::any_of(word.begin() + 1, word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// "a/b.py" in the text, when the tree has it: what stands at its module level.
void add_files(Scene& scene, std::string_view text) {
  constexpr std::string_view kEnds = " \t\n\r\"'`()[]<>,:;";
  std::size_t at = 0;
  while ((at = text.find_first_not_of(kEnds, at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kEnds, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (!language_of(word)) continue;
    const auto path = tree_path(scene.tree(), word);
    const StatementIndex* index = path && !is_test_path(*path) ? scene.statements(*path) : nullptr;
    if (index == nullptr) continue;
    for (const int statement : index->of_function(-1)) {
      scene.suspects().add(*index, statement, Role::kMentioned,
                           scene.weights().mentioned * scene.weights().not_reached,
                           "in a file named in the report");
    }
  }
}

void add_words(Scene& scene, std::string_view text) {
  std::set<std::string_view> seen;
  for (const std::string_view word : identifiers(text)) {
    if (seen.size() >= kMaxWords) break;
    if (!looks_like_code(word) || !seen.insert(word).second) continue;
    std::size_t count = 0;
    for (const Definition& definition : scene.tree().definitions(word)) {
      if (definition.kind == Definition::Kind::kImport || is_test_path(definition.file)) continue;
      if (++count > kMaxDefinitions) break;
      const FoundDefinition found = scene.find(definition);
      if (!found) continue;
      scene.suspects().add(*found.index, found.statement, Role::kMentioned,
                           scene.weights().mentioned, "named in the report");
      for (const int at : found.index->of_function(found.statement)) {
        scene.suspects().add(*found.index, at, Role::kMentioned,
                             scene.weights().mentioned * scene.weights().not_reached,
                             "in a function named in the report");
      }
    }
  }
}

}  // namespace

void suspect_mentioned(Scene& scene) {
  const bool nothing_else = scene.evidence().empty() && scene.frames().empty();
  if (scene.report() == nullptr || !nothing_else) return;
  const std::string_view text = std::string_view(scene.report()->text).substr(0, kReadBytes);
  add_files(scene, text);
  add_words(scene, text);
}

}  // namespace suture
