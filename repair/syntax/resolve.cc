#include <algorithm>

#include "repair/base/text.h"
#include "repair/syntax/bindings.h"
#include "repair/syntax/outline.h"
#include "repair/syntax/source_tree.h"

// Where names come from: the part of SourceTree that follows imports and bases.

namespace suture {
namespace {

constexpr int kImportDepth = 5;  // re-exports of re-exports

/// The class_definition or function_definition that a Definition stands for.
Node node_of(const SourceFile& file, const Definition& definition) {
  Node node = file.node_at(definition.range);
  return node.is({"decorated_definition"}) ? node.field("definition") : node;
}

std::string without_type_arguments(std::string_view base) {
  return std::string(trim(base.substr(0, base.find('['))));
}

/// Follows names through the imports of a tree.
class Resolver {
 public:
  explicit Resolver(SourceTree& tree) : tree_(tree) {}

  std::optional<Definition> dotted(std::string_view file, std::string_view name) {
    std::vector<std::string> parts = split(name, '.');
    if (auto found = simple(file, parts[0], 0)) {
      for (std::size_t i = 1; found && i < parts.size(); ++i) found = member(*found, parts[i]);
      if (found) return found;
    }
    return through_plain_import(file, parts);
  }

 private:
  /// `import a.b` makes a.b.f reachable also when a is a package without a file.
  std::optional<Definition> through_plain_import(std::string_view file,
                                                 const std::vector<std::string>& parts) {
    const auto& outline = tree_.outline(file);
    bool imported = std::any_of(outline.begin(), outline.end(), [&](const Definition& definition) {
      return definition.kind == Definition::Kind::kImport && definition.source_module.empty() &&
             definition.qualname == parts[0] && definition.source_name == parts[0];
    });
    for (std::size_t length = imported ? parts.size() : 0; length > 0; --length) {
      auto found = module({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(length)});
      for (std::size_t i = length; found && i < parts.size(); ++i) found = member(*found, parts[i]);
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Definition> simple(std::string_view file, std::string_view name, int depth) {
    if (depth > kImportDepth) return std::nullopt;
    const std::vector<Definition>& outline = tree_.outline(file);
    std::optional<Definition> variable;
    for (const Definition& definition : outline) {
      if (definition.qualname != name) continue;
      if (definition.kind == Definition::Kind::kVariable) {
        if (!variable)
          variable = definition;  // `X = None` where the import failed: the import wins
      } else if (definition.kind != Definition::Kind::kImport) {
        return definition;
      } else if (auto found = follow(file, definition, depth)) {
        return found;
      }
    }
    if (variable) return variable;
    for (const Definition& definition : imports_in_functions(file, name)) {
      if (auto found = follow(file, definition, depth)) return found;
    }
    for (const Definition& definition : outline) {
      if (definition.name != "*" || name.starts_with('_')) continue;
      auto source = tree_.file_of_module(tree_.absolute_module(file, definition.source_module));
      if (!source || *source == file || !may_provide(*source, name)) continue;
      if (auto found = simple(*source, name, depth + 1)) return found;
    }
    return std::nullopt;
  }

  /// By its text alone: a package may import all of hundreds of modules, and parsing them to look
  /// for one name takes seconds.
  bool may_provide(std::string_view file, std::string_view name) {
    std::string_view text = tree_.bytes(file);
    return mentions_word(text, name) || text.find("import *") != std::string_view::npos;
  }

  /// What an import stands for.
  std::optional<Definition> follow(std::string_view file, const Definition& import, int depth) {
    if (import.source_module.empty()) return module({import.source_name});
    std::string from = tree_.absolute_module(file, import.source_module);
    std::optional<std::string> source = tree_.file_of_module(from);
    if (source && *source != file) {
      if (auto found = simple(*source, import.source_name, depth + 1)) return found;
    }
    return module({from, import.source_name});
  }

  std::optional<Definition> member(const Definition& owner, const std::string& name) {
    if (owner.kind == Definition::Kind::kImport) {
      if (auto found = simple(owner.file, name, 1)) return found;
      return module({owner.name, name});
    }
    if (owner.kind != Definition::Kind::kClass) return std::nullopt;
    for (const Definition& cls : tree_.class_and_bases(owner)) {
      for (const Definition& definition : tree_.outline(cls.file)) {
        if (definition.qualname == cls.qualname + "." + name) return definition;
      }
    }
    return std::nullopt;
  }

  std::optional<Definition> module(const std::vector<std::string>& parts) {
    Definition definition;
    definition.kind = Definition::Kind::kImport;
    definition.name = join(parts, ".");
    auto file = tree_.file_of_module(definition.name);
    if (!file) return std::nullopt;
    definition.qualname = definition.source_module = definition.name;
    definition.file = *file;
    definition.line = 1;
    return definition;
  }

  /// Imports of the name anywhere in a file but at module and class level.
  std::vector<Definition> imports_in_functions(std::string_view file, std::string_view name) {
    std::vector<Definition> found;
    const SourceFile* source = tree_.source(file);
    if (source == nullptr || !mentions_word(source->text(), name)) return found;
    for_each_of(source->root(), kImportKinds, [&](Node node) {
      if (!enclosing_function(node)) return;
      for (const ImportedName& imported : imported_names(node)) {
        if (imported.bound() == name) found.push_back(import_definition(imported, node));
      }
    });
    return found;
  }

  SourceTree& tree_;
};

}  // namespace

std::optional<Definition> SourceTree::resolve(std::string_view file, std::string_view name) {
  return Resolver(*this).dotted(file, name);
}

std::vector<Definition> SourceTree::class_and_bases(const Definition& cls) {
  std::vector<Definition> found{cls};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::string& base : std::vector<std::string>(found[i].bases)) {
      auto resolved = resolve(found[i].file, without_type_arguments(base));
      if (!resolved || resolved->kind != Definition::Kind::kClass) continue;
      bool known = std::any_of(found.begin(), found.end(), [&](const Definition& other) {
        return other.file == resolved->file && other.range == resolved->range;
      });
      if (!known) found.push_back(std::move(*resolved));
    }
  }
  return found;
}

std::vector<std::string> SourceTree::members_of(const Definition& cls) {
  std::vector<std::string> members;
  const SourceFile* file = source(cls.file);
  if (file == nullptr) return members;
  Node node = node_of(*file, cls);
  if (!node.is({"class_definition"})) return members;
  auto add = [&](std::string_view name) {
    if (std::find(members.begin(), members.end(), name) == members.end())
      members.emplace_back(name);
  };
  for (const Binding& binding : bindings_of(node)) {
    add(binding.name.text());
    if (binding.kind != Binding::Kind::kFunction) continue;
    walk(binding.by, [&](Node inner) {
      bool target = inner.is({"attribute"}) && inner.field("object").text() == "self" &&
                    inner.parent().is({"assignment", "augmented_assignment", "pattern_list",
                                       "tuple_pattern", "list_pattern"});
      Node assignment = inner.parent();
      bool assigned = !assignment.is({"assignment", "augmented_assignment"}) ||
                      assignment.field("left") == inner;
      if (target && assigned) add(inner.field("attribute").text());
      return !inner.is({"class_definition"});
    });
  }
  return members;
}

}  // namespace suture
