#include "repair/refute/callee.h"

#include <algorithm>
#include <utility>

#include "repair/base/text.h"
#include "repair/syntax/bindings.h"
#include "repair/syntax/imports.h"

namespace suture {
namespace {

constexpr int kImportDepth = 5;

/// The bindings of a name at module level; nothing when something else may bind it as well.
std::optional<std::vector<Binding>> module_bindings(const SourceFile& file, std::string_view name) {
  std::vector<Binding> found;
  bool doubtful = false;
  for (const Binding& binding : bindings_of(file.root())) {
    doubtful = doubtful || binding.name.text() == "*";
    if (binding.name.text() == name) found.push_back(binding);
  }
  // `global name` in a function, or in code that is run from a string.
  std::size_t at = file.text().find("global ");
  for (; !doubtful && at != std::string_view::npos; at = file.text().find("global ", at + 1)) {
    std::string_view line = file.text().substr(at);
    doubtful = mentions_word(line.substr(0, line.find('\n')), name);
  }
  if (doubtful || file.text().find("globals()") != std::string_view::npos) return std::nullopt;
  return found;
}

/// The one binding of a name at module level.
std::optional<Binding> only_binding(const SourceFile& file, std::string_view name) {
  auto found = module_bindings(file, name);
  if (!found || found->size() != 1) return std::nullopt;
  return found->front();
}

std::optional<ImportedName> import_of(const Binding& binding) {
  for (ImportedName& imported : imported_names(binding.by)) {
    if (imported.bound() == binding.name.text()) return std::move(imported);
  }
  return std::nullopt;
}

/// Whether a scope between a node and its module binds the name.
bool is_bound_nearer(Node at, std::string_view name) {
  for (Node scope = at.parent(); scope; scope = scope.parent()) {
    if (!is_scope(scope) || scope.is({"module"})) continue;
    for (const Binding& binding : bindings_of(scope)) {
      if (binding.name.text() == name) return true;
    }
  }
  return false;
}

bool is_decorated(Node definition) { return definition.parent().is({"decorated_definition"}); }

enum class Binds { kNothing, kFirst, kUnknown };

/// What an access through an instance binds of a method.
Binds binds_of(Node method) {
  if (!is_decorated(method)) return Binds::kFirst;
  Binds binds = Binds::kUnknown;
  for (Node child : method.parent().named_children()) {
    if (!child.is({"decorator"})) continue;
    if (binds != Binds::kUnknown) return Binds::kUnknown;  // more than one
    std::string_view text = child.named_child(0).text();
    if (text == "staticmethod") binds = Binds::kNothing;
    if (text == "classmethod") binds = Binds::kFirst;
    if (binds == Binds::kUnknown) return binds;
  }
  return binds;
}

/// The parameters of a function; nothing when some can be given by position alone.
std::optional<std::vector<ParameterSyntax>> parameters(Node function) {
  for (Node child : function.field("parameters").children()) {
    if (child.is({"positional_separator", "ERROR"})) return std::nullopt;
  }
  return parameters_of(function);
}

/// Without the one that the access fills.
std::optional<std::vector<ParameterSyntax>> without_first(
    std::optional<std::vector<ParameterSyntax>> all) {
  if (!all || all->empty()) return std::nullopt;
  if (!all->front().prefix.empty()) return all;  // *args takes it in
  all->erase(all->begin());
  return all;
}

/// The definitions of a name in the body of a class.
std::vector<Binding> bindings_in(Node cls, std::string_view name) {
  std::vector<Binding> found;
  for (const Binding& binding : bindings_of(cls)) {
    if (binding.name.text() == name) found.push_back(binding);
  }
  return found;
}

/// Whether text replaces the thing of that name: assigns to it as an attribute, or names it in a
/// string ("pkg.mod.name").
bool replaces(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    std::size_t end = at + name.size();
    char before = at > 0 ? text[at - 1] : ' ';
    char after = end < text.size() ? text[end] : ' ';
    if ((after == '"' || after == '\'') && !is_identifier(std::string(1, before))) return true;
    if (before != '.') continue;
    std::size_t sign = text.find_first_not_of(" \t", end);
    bool assigned =
        sign != std::string_view::npos && text[sign] == '=' && text.substr(sign, 2) != "==";
    if (assigned) return true;
  }
  return false;
}

int count_definitions(const SourceFile& file, std::string_view name) {
  int count = 0;
  walk(file.root(), [&](Node node) {
    if (node.is({"function_definition", "class_definition"}) && node.field("name").text() == name)
      ++count;
    return true;
  });
  return count;
}

}  // namespace

bool CalleeFinder::is_replaced(const std::string& name) {
  auto [at, fresh] = replaced_.try_emplace(name, false);
  if (!fresh) return at->second;
  at->second = mentions_word(check_text_, "def " + name) || replaces(check_text_, name) ||
               std::ranges::any_of(tree_.files_mentioning(name), [&](const std::string& path) {
                 return replaces(tree_.bytes(path), name);
               });
  return at->second;
}

/// The file of a module that no other module of the tree could be taken for: what a script imports
/// may lie beside it.
std::optional<std::string> CalleeFinder::only_file_of(const std::string& path,
                                                      std::string_view module) {
  std::string absolute = tree_.absolute_module(path, module);
  std::string top = absolute.substr(0, absolute.find('.'));
  auto [at, fresh] = ambiguous_.try_emplace(top, false);
  if (fresh) {
    int places = 0;
    for (std::string_view each : tree_.paths()) {
      std::string file = "/" + std::string(each);
      places += file.ends_with("/" + top + ".py") || file.ends_with("/" + top + "/__init__.py");
    }
    at->second = places > 1;
  }
  if (at->second && !module.starts_with('.')) return std::nullopt;
  return tree_.file_of_module(absolute);
}

std::optional<Callee> CalleeFinder::find(const EditedTree& edited, const std::string& path,
                                         Node call) {
  Node function = call.field("function");
  if (function.is({"identifier"})) {
    if (is_bound_nearer(call, function.text())) return std::nullopt;
    return named(edited, path, function.text(), 0);
  }
  if (!function.is({"attribute"})) return std::nullopt;
  std::string_view object = function.field("object").text();
  std::string_view name = function.field("attribute").text();
  if (object == "self") return method(edited, path, call, name);
  if (is_bound_nearer(call, object.substr(0, object.find('.')))) return std::nullopt;
  return member_of_module(edited, path, object, name);
}

std::optional<Callee> CalleeFinder::named(const EditedTree& edited, const std::string& path,
                                          std::string_view name, int depth) {
  const SourceFile* file = edited.source(path);
  if (file == nullptr || depth > kImportDepth) return std::nullopt;
  auto binding = only_binding(*file, name);
  if (!binding || is_replaced(std::string(name))) return std::nullopt;
  if (binding->kind == Binding::Kind::kFunction) {
    auto taken = parameters(binding->by);
    if (is_decorated(binding->by) || !taken) return std::nullopt;
    return Callee{std::string(name), std::move(*taken)};
  }
  if (binding->kind == Binding::Kind::kClass) return constructor(edited, path, binding->by, depth);
  if (binding->kind != Binding::Kind::kImport) return std::nullopt;
  auto imported = import_of(*binding);
  if (!imported || imported->module.empty()) return std::nullopt;
  auto from = only_file_of(path, imported->module);
  if (!from || *from == path) return std::nullopt;
  return named(edited, *from, imported->name, depth + 1);
}

std::optional<Callee> CalleeFinder::member_of_module(const EditedTree& edited,
                                                     const std::string& path,
                                                     std::string_view object,
                                                     std::string_view name) {
  const SourceFile* file = edited.source(path);
  std::string_view first = object.substr(0, object.find('.'));
  if (file == nullptr || !is_identifier(first)) return std::nullopt;
  auto bindings = module_bindings(*file, first);
  if (!bindings || bindings->empty()) return std::nullopt;
  // `import a.b` and `import a.c` both bind `a`, to one and the same.
  std::string module;
  for (const Binding& binding : *bindings) {
    if (binding.kind != Binding::Kind::kImport) return std::nullopt;
    auto imported = import_of(binding);
    if (!imported) return std::nullopt;
    std::string means =
        !imported->module.empty()
            ? imported->module + (imported->module.ends_with('.') ? "" : ".") + imported->name
        : imported->alias.empty() ? std::string(first)
                                  : imported->name;
    if (!module.empty() && module != means) return std::nullopt;
    module = means;
  }
  module += object.substr(first.size());
  auto from = only_file_of(path, module);
  if (!from) return std::nullopt;
  return named(edited, *from, name, 1);
}

std::optional<Callee> CalleeFinder::method(const EditedTree& edited, const std::string& path,
                                           Node call, std::string_view name) {
  Node around = enclosing_function(call);
  // Not a function in a method, whose `self` may be another one.
  if (!around || enclosing_function(around)) return std::nullopt;
  Node cls = enclosing_class(around);
  auto own = parameters_of(around);
  if (!cls || own.empty() || own.front().name != "self") return std::nullopt;
  auto found = bindings_in(cls, name);
  if (found.size() != 1 || found[0].kind != Binding::Kind::kFunction) return std::nullopt;
  const std::vector<std::string>& files = tree_.files_defining(name);
  bool only = std::ranges::all_of(files, [&](const std::string& each) { return each == path; }) &&
              count_definitions(*edited.source(path), name) == 1;
  if (!only || is_replaced(std::string(name))) return std::nullopt;
  Binds binds = binds_of(found[0].by);
  if (binds == Binds::kUnknown) return std::nullopt;
  auto taken = parameters(found[0].by);
  if (binds == Binds::kFirst) taken = without_first(std::move(taken));
  if (!taken) return std::nullopt;
  return Callee{std::string(cls.field("name").text()) + "." + std::string(name), std::move(*taken)};
}

bool CalleeFinder::is_plain_base(const EditedTree& edited, const std::string& path,
                                 std::string_view base, int depth) {
  // Of these is known that calling a class of theirs calls its `__init__`.
  if (base == "object" || base == "nn.Module" || base == "torch.nn.Module" || base == "ABC" ||
      base == "abc.ABC")
    return true;
  const SourceFile* file = edited.source(path);
  if (file == nullptr || depth > kImportDepth) return false;
  auto binding = only_binding(*file, base);
  if (!binding) return false;
  if (binding->kind == Binding::Kind::kImport) {
    auto imported = import_of(*binding);
    if (!imported || imported->module.empty()) return false;
    auto from = only_file_of(path, imported->module);
    return from && *from != path && is_plain_base(edited, *from, imported->name, depth + 1);
  }
  if (binding->kind != Binding::Kind::kClass) return false;
  Node cls = binding->by;
  if (is_decorated(cls) || !bindings_in(cls, "__new__").empty()) return false;
  return std::ranges::all_of(cls.field("superclasses").named_children(), [&](Node each) {
    return is_plain_base(edited, path, each.text(), depth + 1);
  });
}

std::optional<Callee> CalleeFinder::constructor(const EditedTree& edited, const std::string& path,
                                                Node cls, int depth) {
  if (is_decorated(cls) || !bindings_in(cls, "__new__").empty()) return std::nullopt;
  for (Node base : cls.field("superclasses").named_children()) {
    if (!is_plain_base(edited, path, base.text(), depth)) return std::nullopt;
  }
  auto found = bindings_in(cls, "__init__");
  if (found.size() != 1 || found[0].kind != Binding::Kind::kFunction || is_decorated(found[0].by))
    return std::nullopt;
  std::string name(cls.field("name").text());
  for (const std::string& each : tree_.files_mentioning(name)) {
    if (tree_.bytes(each).find(name + ".__init__") != std::string_view::npos) return std::nullopt;
  }
  if (check_text_.find(name + ".__init__") != std::string::npos) return std::nullopt;
  auto taken = without_first(parameters(found[0].by));
  if (!taken) return std::nullopt;
  return Callee{std::move(name), std::move(*taken)};
}

}  // namespace suture
