#include "repair/syntax/outline.h"

#include "repair/syntax/bindings.h"

namespace suture {

Definition import_definition(const ImportedName& imported, Node statement) {
  Definition definition;
  definition.kind = Definition::Kind::kImport;
  definition.name = definition.qualname = imported.bound();
  definition.file = statement.file()->path();
  definition.range = statement.range();
  definition.line = statement.line();
  definition.source_module = imported.module;
  bool binds_top = imported.module.empty() && imported.alias.empty();
  definition.source_name = binds_top ? definition.name : imported.name;
  return definition;
}

namespace {

Definition::Kind kind_of(Binding::Kind kind) {
  switch (kind) {
    case Binding::Kind::kFunction:
      return Definition::Kind::kFunction;
    case Binding::Kind::kClass:
      return Definition::Kind::kClass;
    case Binding::Kind::kImport:
      return Definition::Kind::kImport;
    default:
      return Definition::Kind::kVariable;
  }
}

std::vector<std::string> bases_of(Node cls) {
  std::vector<std::string> bases;
  for (Node base : cls.field("superclasses").named_children()) {
    if (!base.is({"keyword_argument", "dictionary_splat"})) bases.emplace_back(base.text());
  }
  return bases;
}

Definition definition_from(const Binding& binding, const std::string& qualifier) {
  Definition definition;
  definition.kind = kind_of(binding.kind);
  definition.name = binding.name.text();
  definition.qualname = qualifier + definition.name;
  definition.file = binding.by.file()->path();
  definition.line = binding.by.line();
  Node whole = binding.by;
  if (whole.parent().is({"decorated_definition", "expression_statement"})) whole = whole.parent();
  definition.range = whole.range();
  if (binding.kind == Binding::Kind::kFunction) definition.parameters = parameters_of(binding.by);
  if (binding.kind == Binding::Kind::kClass) definition.bases = bases_of(binding.by);
  return definition;
}

/// Adds what a module or class binds, in order; of a module also the members of its classes.
void add_outline(Node scope, const std::string& qualifier, std::vector<Definition>& outline) {
  Node last_import;
  for (const Binding& binding : bindings_of(scope)) {
    if (binding.kind != Binding::Kind::kImport) {
      outline.push_back(definition_from(binding, qualifier));
      if (binding.kind == Binding::Kind::kClass && qualifier.empty()) {
        add_outline(binding.by, outline.back().name + ".", outline);
      }
    } else if (!(binding.by == last_import)) {  // all names of a statement at once
      last_import = binding.by;
      for (const ImportedName& imported : imported_names(binding.by)) {
        outline.push_back(import_definition(imported, binding.by));
        outline.back().qualname = qualifier + outline.back().name;
      }
    }
  }
}

}  // namespace

std::vector<Definition> outline_of(const SourceFile& file) {
  std::vector<Definition> outline;
  if (file.language() == Language::kPython) add_outline(file.root(), "", outline);
  return outline;
}

}  // namespace suture
