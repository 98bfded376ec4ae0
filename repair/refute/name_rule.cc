#include "repair/refute/name_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "repair/base/text.h"
#include "repair/refute/expected_errors.h"
#include "repair/syntax/bindings.h"
#include "repair/syntax/builtins.h"
#include "repair/syntax/imports.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

/// Code that may give names a meaning without binding them.
bool reaches_into_names(const SourceFile& file) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"globals", "exec", "vars", "execfile", "locals"},
      [&](std::string_view word) {
        return file.text().find(std::string(word) + "(") != std::string_view::npos;
      });
}

bool imports_all(const SourceFile& file) {
  bool found = false;
  walk(file.root(), [&](Node node) {
    found = found || node.is({"wildcard_import"});
    return !found;
  });
  return found;
}

/// An identifier that is the name of a thing (attribute, keyword, parameter, definition, import).
bool is_no_use(Node identifier) {
  Node parent = identifier.parent();
  if (parent.is({"attribute"})) return parent.field("attribute") == identifier;
  if (parent.is({"keyword_argument", "function_definition", "class_definition"}))
    return parent.field("name") == identifier;
  return bool(identifier.ancestor({"import_statement", "import_from_statement"}));
}

}  // namespace

const NameRule::FileNames& NameRule::names_of(const SourceFile& file) {
  auto [at, fresh] = files_.try_emplace(file.path());
  if (!fresh) return at->second;
  FileNames& names = at->second;
  names.unknowable = reaches_into_names(file) || imports_all(file);
  if (names.unknowable) return names;
  for (std::string& name : unresolved_names(file)) names.unresolved.insert(std::move(name));
  for (const Binding& binding : bindings_of(file.root())) {
    names.of_module.emplace(binding.name.text());
    for (const ImportedName& imported : imported_names(binding.by)) {
      if (imported.module == "__future__" && imported.name == "annotations")
        names.late_annotations = true;
    }
  }
  return names;
}

bool NameRule::FileNames::knows(std::string_view name) const {
  return is_builtin(name) || of_module.contains(name) || unresolved.contains(name);
}

namespace {

/// Whether a node is read outside a scope that it is part of: defaults, decorators, bases.
bool stands_in_head(Node node, Node scope) {
  Node body = scope.field("body");
  return scope.is({"function_definition", "lambda", "class_definition"}) &&
         !body.range().contains(node.range());
}

/// The names that scopes below module level bind.
class LocalNames {
 public:
  /// Whether a scope around a use binds its name. Classes count like functions: that may take an
  /// unknown name for a known one, never the other way round.
  bool bind(Node use) {
    for (Node scope = use.parent(); scope; scope = scope.parent()) {
      if (!is_scope(scope) || scope.is({"module"}) || stands_in_head(use, scope)) continue;
      auto [at, fresh] = scopes_.try_emplace(scope.raw().id);
      if (fresh) {
        for (const Binding& binding : bindings_of(scope)) at->second.insert(binding.name.text());
      }
      if (at->second.contains(use.text())) return true;
    }
    return false;
  }

 private:
  std::map<const void*, std::set<std::string_view>> scopes_;
};

}  // namespace

bool NameRule::is_put_into_builtins(const std::string& name) {
  auto [at, fresh] = put_into_builtins_.try_emplace(name, false);
  if (!fresh) return at->second;
  for (const std::string& path : tree_.files_mentioning("builtins"))
    at->second = at->second || mentions_word(tree_.bytes(path), name);
  return at->second;
}

std::optional<std::string> NameRule::refute(const EditedFile& file) {
  const FileNames& names = names_of(*file.before);
  if (names.unknowable) return std::nullopt;
  bool suspicious = false;
  LocalNames locals;
  walk(file.after->root(), [&](Node node) {
    if (suspicious || !file.touches(node)) return false;
    suspicious = node.is({"identifier"}) && !names.knows(node.text()) && !is_no_use(node) &&
                 !locals.bind(node);
    return !suspicious;
  });
  // Names are looked up from inside out; only where that fails the whole file is gone through.
  if (!suspicious || reaches_into_names(*file.after) || imports_all(*file.after))
    return std::nullopt;
  for (Node use : unresolved_uses(*file.after)) {
    if (!file.touches(use) || names.knows(use.text())) continue;
    bool annotation = bool(use.ancestor({"type"}));
    if ((annotation && names.late_annotations) || is_error_expected(use, "NameError") ||
        is_put_into_builtins(std::string(use.text())))
      continue;
    return fmt::format("line {} uses `{}`, which nothing binds there", use.line(), use.text());
  }
  return std::nullopt;
}

}  // namespace suture
