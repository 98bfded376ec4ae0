#include <algorithm>

#include "repair/base/text.h"
#include "repair/locate/called_functions.h"
#include "repair/locate/scene.h"

namespace suture {
namespace {

/// Spelled almost alike: worth a look as a typing error.
constexpr double kAlike = 0.7;
/// Files looked at for places that set an attribute, and for definitions of a name.
constexpr std::size_t kMaxFiles = 8;
constexpr std::size_t kMaxDefinitions = 4;

/// Whether some target of the statement is an attribute of this name, of any object.
bool sets_any(const Statement& statement, std::string_view attribute) {
  const auto names = bound_names(statement);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == attribute || name.ends_with("." + std::string(attribute));
  });
}

bool sets_self(const Statement& statement) {
  const auto names = bound_names(statement);
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return name.starts_with("self."); });
}

/// "'T' object has no attribute 'a'": T and its bases, members spelled alike, places that set `a`.
void add_missing_attribute(Scene& scene, const std::string& type, const std::string& attribute) {
  const Weights& weights = scene.weights();
  double score = 1;
  for (const FoundDefinition& cls : scene.named(type)) {
    const StatementIndex& index = *cls.index;
    scene.suspects().add(index, cls.statement, Role::kDefinition,
                         score * weights.missing_attribute_class,
                         "the class has no `" + attribute + "`");
    for (int at = cls.statement + 1; at < int(index.all().size()); ++at) {
      if (index[at].line > index[cls.statement].body_end_line) break;
      if (sets_any(index[at], attribute)) {
        scene.suspects().add(index, at, Role::kDefinition, score * weights.missing_attribute_setter,
                             "sets `" + attribute + "`");
      }
      for (const std::string& name : bound_names(index[at])) {
        const std::string member = name.substr(name.rfind('.') + 1);
        if (member != attribute && name_similarity(member, attribute) >= kAlike) {
          scene.suspects().add(index, at, Role::kDefinition, score * weights.similar_member,
                               "`" + member + "` is spelled almost like `" + attribute + "`");
        }
      }
      const bool init = index[at].is_def() && index.qualname(at).ends_with(".__init__");
      if (init) {
        scene.suspects().add(index, at, Role::kDefinition, score * weights.similar_member,
                             "makes objects of the class without `" + attribute + "`");
      }
      if (sets_self(index[at])) {
        scene.suspects().add(index, at, Role::kDefinition, score * weights.init_of_class,
                             "sets attributes of the class, but not `" + attribute + "`");
      }
    }
    score *= weights.callee_sibling;
  }
}

/// Files that mention a word: of those that ran when that is known, else of the whole tree.
std::vector<std::string> files_mentioning(Scene& scene, const std::string& word) {
  std::vector<std::string> found;
  if (scene.evidence().empty()) {
    found = scene.tree().files_mentioning(word);
  } else {
    for (const auto& [path, lines] : scene.evidence().executed) {
      if (mentions_word(scene.tree().bytes(path), word)) found.push_back(path);
    }
  }
  std::erase_if(found, is_test_path);
  return found;
}

/// Places that set an attribute of that name on some object, in files that ran.
void add_setters_elsewhere(Scene& scene, const std::string& attribute) {
  std::size_t files = 0;
  for (const std::string& path : files_mentioning(scene, attribute)) {
    if (++files > kMaxFiles) break;
    const StatementIndex* index = scene.statements(path);
    for (int at = 0; index != nullptr && at < int(index->all().size()); ++at) {
      const bool elsewhere =
          (*index)[at].kind == StatementKind::kAssignment && sets_any((*index)[at], attribute);
      if (!elsewhere) continue;
      const double factor = scene.ran(*index, at) ? 1 : scene.weights().not_reached;
      scene.suspects().add(*index, at, Role::kDefinition,
                           factor * scene.weights().missing_attribute_setter,
                           "sets `" + attribute + "`");
    }
  }
}

/// A module of the tree that lacks a name: its imports and tables of names.
void add_exporting_module(Scene& scene, const std::string& module, const std::string& name) {
  const auto path = scene.tree().file_of_module(module);
  const StatementIndex* index = path ? scene.statements(*path) : nullptr;
  if (index == nullptr) return;
  const Weights& weights = scene.weights();
  for (const int at : index->of_function(-1)) {
    const Statement& statement = (*index)[at];
    if (statement.kind == StatementKind::kDocstring) continue;
    double best = 0;
    for (const std::string_view word : identifiers(statement.text)) {
      best = std::max(best, name_similarity(word, name));
    }
    const double factor = statement.kind == StatementKind::kImport       ? 0.8
                          : statement.kind == StatementKind::kAssignment ? 0.7
                                                                         : 0.4;
    scene.suspects().add(*index, at, Role::kModule,
                         weights.exporting_module * (0.5 * factor + 0.5 * best),
                         "`" + module + "` gives its names here, but no `" + name + "`");
  }
}

/// Functions and classes of that name, loaded or (a missing import) not yet loaded.
void add_definitions_of(Scene& scene, const std::string& name) {
  std::vector<FoundDefinition> found = scene.loaded(name);
  if (found.empty()) {
    for (const Definition& definition : scene.tree().definitions(name)) {
      if (definition.kind == Definition::Kind::kImport || is_test_path(definition.file)) continue;
      if (found.size() < kMaxDefinitions) found.push_back(scene.find(definition));
    }
  }
  for (const FoundDefinition& definition : found) {
    if (!definition) continue;
    scene.suspects().add(*definition.index, definition.statement, Role::kDefinition,
                         scene.weights().defined_elsewhere, "defines `" + name + "`");
  }
}

/// Import statements of the failing files that mention the module or the name.
void add_failing_imports(Scene& scene, const std::string& word) {
  const Weights& weights = scene.weights();
  double score = weights.failing_import;
  for (const TreeFrame& frame : scene.frames()) {
    const StatementIndex* index = scene.statements(frame.file);
    for (int at = 0; index != nullptr && at < int(index->all().size()); ++at) {
      if ((*index)[at].kind != StatementKind::kImport) continue;
      if (!mentions_word((*index)[at].text, word)) continue;
      scene.suspects().add(*index, at, Role::kImport, score, "imports `" + word + "`");
    }
    score *= weights.caller_decay;
  }
}

/// A name that nothing binds: the imports of the file, above all one that would bind it under some
/// condition; members of that name.
void add_unknown_name(Scene& scene, const std::string& name) {
  if (scene.frames().empty()) return;
  const Weights& weights = scene.weights();
  const StatementIndex* index = scene.statements(scene.frames().front().file);
  if (index == nullptr) return;
  int last_import = -1;
  for (const int at : index->of_function(-1)) {
    const Statement& statement = (*index)[at];
    if (binds(statement, name)) {
      scene.suspects().add(*index, at, Role::kDefinition, weights.binding_of_name,
                           "would define `" + name + "`");
      if (statement.parent >= 0) {
        scene.suspects().add(*index, statement.parent, Role::kDefinition, weights.binding_of_name,
                             "decides whether `" + name + "` is defined");
      }
    }
    if (statement.kind != StatementKind::kImport || statement.parent >= 0) continue;
    last_import = at;
    scene.suspects().add(*index, at, Role::kImport, weights.import_block * 0.7,
                         "import block of a file with an unknown name");
  }
  scene.suspects().add(*index, last_import, Role::kImport, weights.import_block,
                       "end of the import block of a file with an unknown name");
  add_definitions_of(scene, name);
}

/// A local that was read before it was set: all places that set it, and what decides on them.
void add_unbound_local(Scene& scene, const std::string& name) {
  if (scene.frames().empty()) return;
  const TreeFrame& frame = scene.frames().front();
  const StatementIndex* index = scene.statements(frame.file);
  if (index == nullptr) return;
  for (const int at : index->of_function(index->function_around(frame.line))) {
    if (!binds((*index)[at], name)) continue;
    scene.suspects().add(*index, at, Role::kOrigin, scene.weights().binding_of_name,
                         "sets `" + name + "`, but did not run before");
    double score = scene.weights().binding_of_name;
    for (int up = (*index)[at].parent; up >= 0 && !(*index)[up].is_def();
         up = (*index)[up].parent) {
      scene.suspects().add(*index, up, Role::kOrigin, score,
                           "decides whether `" + name + "` is set");
      score *= scene.weights().guard_decay;
    }
  }
}

/// "f() missing 1 required argument" of a method that the run put there itself: `object.f = ...`.
void add_rebinding(Scene& scene, std::string_view callable) {
  const std::string suffix = "." + std::string(callable.substr(callable.rfind('.') + 1));
  for (const WeighedFunction& function : scene.called()) {
    const StatementIndex* index = scene.statements(function.called->file);
    for (const int line : function.called->lines) {
      const int at = index == nullptr ? -1 : index->at(line);
      if (at < 0 || (*index)[at].kind != StatementKind::kAssignment) continue;
      const auto names = bound_names((*index)[at]);
      const bool rebinds = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.ends_with(suffix);
      });
      if (!rebinds) continue;
      scene.suspects().add(*index, at, Role::kOrigin, scene.weights().rebinding,
                           "replaces the callable that was called wrongly");
    }
  }
}

}  // namespace

void suspect_definitions(Scene& scene) {
  const MessageFacts& facts = scene.message();
  if (facts.about_arguments()) add_rebinding(scene, facts.callable);
  if (!facts.attribute.empty()) {
    if (!facts.owner_module.empty()) {
      add_exporting_module(scene, facts.owner_module, facts.attribute);
    } else if (facts.owner_type != "NoneType") {
      add_missing_attribute(scene, facts.owner_type, facts.attribute);
      add_setters_elsewhere(scene, facts.attribute);
    }
  } else if (!facts.import_name.empty()) {
    add_failing_imports(scene, facts.import_name);
    add_exporting_module(scene, facts.owner_module, facts.import_name);
    add_definitions_of(scene, facts.import_name);
  } else if (!facts.owner_module.empty()) {
    const std::size_t dot = facts.owner_module.rfind('.');
    add_failing_imports(scene, facts.owner_module.substr(dot + 1));
  } else if (facts.unbound_local) {
    add_unbound_local(scene, facts.name);
  } else if (!facts.name.empty()) {
    add_unknown_name(scene, facts.name);
  }
}

}  // namespace suture
