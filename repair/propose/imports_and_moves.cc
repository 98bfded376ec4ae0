#include "repair/propose/imports_and_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"
#include "repair/propose/facts.h"
#include "repair/propose/lookups.h"
#include "repair/propose/precedence.h"
#include "repair/syntax/imports.h"
#include "repair/syntax/scope.h"

namespace suture {
namespace {

/// A move that concerns more files is not followed in one go.
constexpr std::size_t kMostFilesOfMoves = 10;

std::string parent_path(std::string_view path) {
  std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? "" : std::string(path.substr(0, dot));
}
std::string last_part(std::string_view path) {
  std::size_t dot = path.rfind('.');
  return std::string(dot == std::string_view::npos ? path : path.substr(dot + 1));
}

/// What an imported name stands for: "numpy" for `import numpy as np`, "m.X" for `from m import X`.
std::string path_of(const ImportedName& name) {
  return name.module.empty() ? name.name : name.module + "." + name.name;
}

/// All imports of a file, those in functions included.
std::vector<ImportedName> imports_of(const SourceFile& file) {
  std::vector<ImportedName> all;
  for_each_of(file.root(), kImportKinds, [&](Node node) {
    for (ImportedName& name : imported_names(node)) all.push_back(std::move(name));
  });
  return all;
}

/// The whole path of a dotted expression by the file's imports: `np.float` is "numpy.float".
std::string whole_path(const SourceFile& file, std::string_view expression) {
  std::string first = split(expression, '.').front();
  for (const ImportedName& name : imports_of(file)) {
    if (name.bound() != first || name.module.starts_with('.')) continue;
    // `import a.b` binds a, which stands for itself.
    std::string path = name.module.empty() && name.alias.empty() ? first : path_of(name);
    return path + std::string(expression.substr(first.size()));
  }
  return {};
}

/// Moves that concern a node: an import statement, or a dotted expression. Of any library, the
/// project under repair included.
std::vector<const ApiMove*> all_moves_at(const Match& match, Node node) {
  if (match.facts == nullptr || !node) return {};
  std::vector<const ApiMove*> found;
  if (is_import(node)) {
    for (const ImportedName& name : imported_names(node)) {
      std::string path = path_of(name);
      auto exact = match.facts->of(path);
      found.insert(found.end(), exact.begin(), exact.end());
      if (name.name == "*") continue;
      // `import a.b` without a name of its own is used as `a.b.c`.
      std::string used_as = name.module.empty() && name.alias.empty() ? path : name.bound();
      for (const ApiMove* move : match.facts->below(path)) {
        if (match.file.text().find(used_as + move->old_path.substr(path.size())) !=
            std::string_view::npos) {
          found.push_back(move);
        }
      }
    }
    return found;
  }
  // Cheap test first: the last part of the name.
  std::string_view last = node.kind() == "attribute" ? node.field("attribute").text() : node.text();
  bool known = match.facts->knows(last);
  if (!known || node.parent().kind() == "aliased_import" ||
      node.ancestor({"import_from_statement", "import_statement"}))
    return {};
  return match.facts->of(whole_path(match.file, node.text()));
}

/// The same without facts about what the tree itself provides: those would be later knowledge.
std::vector<const ApiMove*> moves_at(const Match& match, Node node) {
  std::vector<const ApiMove*> moves = all_moves_at(match, node);
  if (moves.empty()) return moves;
  std::vector<std::string> own = match.input.tree.top_level_names();
  std::erase_if(moves, [&](const ApiMove* move) {
    return contains(own, split(move->old_path, '.').front());
  });
  return moves;
}

/// Whether the new name can be had where the check runs: 1 yes, small no, middle unknown.
double availability(const Match& match, const ApiMove& move) {
  std::string module = parent_path(move.new_path);
  if (module == "builtins" || module.empty()) return 1;
  auto names = match.input.installed.names_of(module);
  if (names.empty()) return match.input.installed.has_module(module) ? 0.8 : 0.5;
  return std::find(names.begin(), names.end(), last_part(move.new_path)) != names.end() ? 1 : 0.15;
}

struct Path {
  std::string old_path, new_path;
};
/// "a.b -> c.d" as a provider offers it.
std::optional<Path> parse_move(std::string_view text) {
  std::size_t arrow = text.find(" -> ");
  if (arrow == std::string_view::npos) return std::nullopt;
  return Path{std::string(trim(text.substr(0, arrow))), std::string(trim(text.substr(arrow + 4)))};
}

/// An import statement that makes the path usable under a name; empty for builtins.
std::string import_for(std::string_view path, std::string_view bound) {
  std::string module = parent_path(path), symbol = last_part(path);
  if (module == "builtins") return {};
  std::string alias = bound == symbol ? "" : fmt::format(" as {}", bound);
  return module.empty() ? fmt::format("import {}{}", symbol, alias)
                        : fmt::format("from {} import {}{}", module, symbol, alias);
}

/// How a path is spelled in a file, and the import that it needs for that.
struct Spelling {
  std::string code, import;
};
Spelling spell(const Match& match, const std::string& path) {
  std::string module = parent_path(path), symbol = last_part(path);
  if (module == "builtins") return {symbol, ""};
  std::optional<Spelling> longest;
  std::size_t length = 0;
  for (const ImportedName& name : imports_of(match.file)) {
    bool top = name.module.empty() && name.alias.empty();
    std::string stands_for = top ? name.bound() : path_of(name);
    if (stands_for == path) return {name.bound(), ""};
    if (!path.starts_with(stands_for + ".") || stands_for.size() <= length) continue;
    length = stands_for.size();
    Spelling spelling{name.bound() + path.substr(stands_for.size()), ""};
    // A package does not always bring its modules along.
    bool loaded = module == stands_for || (top && (name.name + ".").starts_with(module + "."));
    if (!loaded && !name.alias.empty()) {
      auto names = match.input.installed.names_of(stands_for);
      loaded =
          names.empty() || std::find(names.begin(), names.end(), last_part(module)) != names.end();
    }
    if (!loaded) spelling.import = "import " + module;
    longest = spelling;
  }
  if (longest) return *longest;
  return {symbol, import_for(path, symbol)};
}

void add(TreeEdits& edits, const SourceFile& file, Edit edit) {
  edits[file.path()].push_back(std::move(edit));
}

void add_import(const Match& match, std::string_view statement, TreeEdits& edits) {
  if (statement.empty()) return;
  if (auto edit = ensure_import(match.file, statement)) add(edits, match.file, std::move(*edit));
}

/// Replaces every use of a dotted expression in the file; false when there is none.
bool replace_uses(const Match& match, std::string_view old_code, std::string_view code,
                  TreeEdits& edits) {
  bool found = false;
  bool dotted = old_code.find('.') != std::string_view::npos;
  auto use = [&](Node node) {
    add(edits, match.file, {node.range(), fit_into(node, code)});
    found = true;
  };
  if (!dotted) {
    for (Node node : reads_of(match.file.root(), old_code)) use(node);
    return found;
  }
  walk(match.file.root(), [&](Node node) {
    if (is_import(node)) return false;
    if (node.kind() == "attribute" && node.text() == old_code) {
      use(node);
      return false;
    }
    return true;
  });
  return found;
}

/// Takes one name out of an import statement and puts another statement in its place; an empty one
/// for none.
void replace_import(const Match& match, Node statement, const ImportedName& name,
                    std::string_view by, TreeEdits& edits) {
  bool alone = imported_names(statement).size() == 1;
  if (alone)
    add(edits, match.file,
        by.empty() ? remove_statement(statement) : replace_statement(statement, by));
  else {
    add(edits, match.file, remove_argument(name.node));
    if (!by.empty()) add(edits, match.file, insert_after(statement, by));
  }
}

bool follow_in_import(const Match& match, Node statement, const Path& move, TreeEdits& edits) {
  for (const ImportedName& name : imported_names(statement)) {
    std::string path = path_of(name);
    if (path == move.old_path) {
      if (name.module.empty() && name.alias.empty() && path.find('.') != std::string::npos)
        return false;
      replace_import(match, statement, name, import_for(move.new_path, name.bound()), edits);
      bool builtin = move.new_path.starts_with("builtins.");
      if (builtin && name.bound() != last_part(move.new_path)) {
        replace_uses(match, name.bound(), last_part(move.new_path), edits);
      }
      return true;
    }
    if (!move.old_path.starts_with(path + ".")) continue;
    bool plain = name.module.empty() && name.alias.empty();
    std::string used_as = (plain ? path : name.bound()) + move.old_path.substr(path.size());
    std::size_t other_uses = 0;
    for (Node read : reads_of(match.file.root(), name.bound())) {
      Node whole = read;
      while (whole.parent().kind() == "attribute" && whole.parent().field("object") == whole &&
             whole.text() != used_as)
        whole = whole.parent();
      if (whole.text() != used_as) ++other_uses;
    }
    std::string symbol = last_part(move.new_path);
    if (!replace_uses(match, used_as, symbol, edits)) return false;
    std::string import = import_for(move.new_path, symbol);
    if (other_uses == 0)
      replace_import(match, statement, name, import, edits);
    else
      add_import(match, import, edits);
    return true;
  }
  return false;
}

/// Whether the installed library has the new name and no longer the old one.
bool is_gone(const Match& match, const ApiMove& move) {
  std::vector<std::string> names = match.input.installed.names_of(parent_path(move.old_path));
  return !names.empty() && !contains(names, last_part(move.old_path)) &&
         availability(match, move) == 1;
}

/// Whether all names of a `from m import ...` go to one other module under their own names; then
/// the module's name is all that changes.
bool follow_whole_import(const Match& match, Node statement,
                         const std::vector<const ApiMove*>& moves, TreeEdits& edits) {
  if (statement.kind() != "import_from_statement") return false;
  std::set<std::string> moved, targets;
  for (const ApiMove* move : moves) {
    if (last_part(move->old_path) != last_part(move->new_path)) return false;
    moved.insert(move->old_path);
    targets.insert(parent_path(move->new_path));
  }
  std::vector<ImportedName> names = imported_names(statement);
  bool all = targets.size() == 1 && *targets.begin() != "builtins" &&
             std::ranges::all_of(names, [&](auto& name) { return moved.contains(path_of(name)); });
  if (all) add(edits, match.file, {statement.field("module_name").range(), *targets.begin()});
  return all;
}

/// Follows the moves that fit, wherever the match's file uses what moved.
void follow_in_file(const Match& match, const std::function<bool(const ApiMove&)>& fits,
                    TreeEdits& edits) {
  std::set<std::string> done;  // spellings: all uses of one are replaced at once
  walk(match.file.root(), [&](Node node) {
    bool import = is_import(node);
    if (!import && node.kind() != "attribute") return true;
    std::vector<const ApiMove*> moves = moves_at(match, node);
    std::vector<ImportedName> names = imported_names(node);
    std::erase_if(moves, [&](const ApiMove* move) {
      // What is used as an attribute of an imported module is followed where it is used.
      bool used_below = import && std::ranges::none_of(names, [&](auto& name) {
                          return path_of(name) == move->old_path;
                        });
      return used_below || !fits(*move);
    });
    if (import && !moves.empty() && !follow_whole_import(match, node, moves, edits)) {
      for (const ApiMove* move : moves)
        follow_in_import(match, node, {move->old_path, move->new_path}, edits);
    } else if (!import && !moves.empty() && done.insert(std::string(node.text())).second) {
      Spelling spelling = spell(match, moves.front()->new_path);
      replace_uses(match, node.text(), spelling.code, edits);
      add_import(match, spelling.import, edits);
    }
    return !import;
  });
}

/// The function whose body holds a node, the outermost one; null when the node runs with the
/// module.
Node outermost_body(Node node) {
  Node found;
  for (Node child = node, parent = node.parent(); parent;
       child = parent, parent = parent.parent()) {
    if (parent.kind() == "function_definition")
      found = parent.field("body") == child ? parent : Node();
  }
  return found;
}

bool in_annotation(Node node) {
  for (Node parent = node.parent(); parent; parent = parent.parent()) {
    if (parent.kind() == "type") return true;
    if (parent.is({"block", "module"})) return false;
  }
  return false;
}

bool is_top_level_of_tree(const Definition& definition, std::string_view name) {
  return definition.qualname == name && definition.kind != Definition::Kind::kImport;
}

}  // namespace

std::vector<Node> reads_of(Node root, std::string_view name) {
  std::vector<Node> reads;
  for_each_of(root, {"identifier"}, [&](Node node) {
    if (node.text() != name) return;
    Node parent = node.parent();
    if (parent.is({"dotted_name", "aliased_import"}) && node.ancestor(kImportKinds)) return;
    bool no_read =
        (parent.kind() == "attribute" && parent.field("attribute") == node) ||
        (parent.kind() == "keyword_argument" && parent.field("name") == node) ||
        (parent.is({"function_definition", "class_definition"}) && parent.field("name") == node) ||
        (parent.is({"default_parameter", "typed_default_parameter"}) &&
         parent.field("name") == node) ||
        parent.is({"parameters", "typed_parameter", "lambda_parameters", "list_splat_pattern",
                   "dictionary_splat_pattern"});
    bool written = (parent.kind() == "assignment" && parent.field("left") == node) ||
                   parent.kind() == "pattern_list";
    if (!no_read && !written) reads.push_back(node);
  });
  return reads;
}

std::vector<Ingredient> moved_symbols(const Match& match, const Arguments& arguments) {
  Basket basket;
  for (const ApiMove* move : moves_at(match, anchor(match, arguments.one("of", "match")))) {
    basket.add(move->old_path + " -> " + move->new_path, availability(match, *move));
  }
  return basket.take();
}

Truth has_move(const Match& match, const Arguments& arguments) {
  return moves_at(match, anchor(match, arguments.one("of", "match"))).empty() ? Truth::kFalse
                                                                              : Truth::kTrue;
}

bool follow_move(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor(match, arguments.one("follow_move"));
  auto move = parse_move(text_of(match, arguments, "move"));
  if (!node || !move) return false;
  if (is_import(node)) return follow_in_import(match, node, *move, edits);
  Spelling spelling = spell(match, move->new_path);
  if (arguments.one("in", "file") == "match")
    add(edits, match.file, {node.range(), fit_into(node, spelling.code)});
  else if (!replace_uses(match, node.text(), spelling.code, edits))
    return false;
  add_import(match, spelling.import, edits);
  return true;
}

/// Follows a move and all others by which the same module lost a name, in the file or in all files
/// of the tree that mention the name.
bool follow_moves(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  auto move = parse_move(text_of(match, arguments, "follow_moves"));
  if (!move) return false;
  std::string module = parent_path(move->old_path);
  auto fits = [&](const ApiMove& other) {
    bool asked = other.old_path == move->old_path && other.new_path == move->new_path;
    return asked || (parent_path(other.old_path) == module && is_gone(match, other));
  };
  std::vector<std::string> files = {match.file.path()};
  if (arguments.one("in", "file") == "tree") {
    // What still works needs no change where the failure does not point.
    std::vector<std::string> names = match.input.installed.names_of(module);
    if (contains(names, last_part(move->old_path))) return false;
    files = match.input.tree.files_mentioning(last_part(move->old_path));
    std::erase_if(files, [&](const std::string& path) {
      return !mentions_word(match.input.tree.bytes(path), last_part(module));
    });
    if (files.size() > kMostFilesOfMoves) return false;
  }
  for (const std::string& path : files) {
    const SourceFile* file = match.input.tree.source(path);
    if (file == nullptr) continue;
    follow_in_file({match.input, *file, file->root(), match.location, {}, match.facts}, fits,
                   edits);
  }
  return !edits.empty();
}

/// Moves one name of a `from m import ...` (all of them without `name`) to another module.
bool move_import(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node statement = anchor(match, arguments.one("move_import"));
  if (statement.kind() != "import_from_statement") return false;
  std::string module = text_of(match, arguments, "from"),
              wanted = text_of(match, arguments, "name");
  std::vector<ImportedName> names = imported_names(statement);
  if (wanted.empty() || names.size() == 1) {
    if (!wanted.empty() && names.front().name != wanted) return false;
    Node place = statement.field("module_name");
    add(edits, match.file, {place.range(), module});
    return true;
  }
  for (const ImportedName& name : names) {
    if (name.name != wanted) continue;
    add(edits, match.file, remove_argument(name.node));
    add(edits, match.file,
        insert_after(statement, fmt::format("from {} import {}", module, name.node.text())));
    return true;
  }
  return false;
}

/// Moves a module-level import into the functions that use its names.
bool defer_import(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node statement = anchor(match, arguments.one("defer_import"));
  if (!is_import(statement) || statement.parent().kind() != "module") return false;
  std::vector<Node> functions;
  std::set<std::string> bound;
  for (const ImportedName& name : imported_names(statement)) bound.insert(name.bound());
  if (bound.contains("*")) return false;
  bool lazy_annotations =
      match.file.text().find("from __future__ import annotations") != std::string_view::npos;
  for (const std::string& name : bound) {
    for (Node read : reads_of(match.file.root(), name)) {
      Node function = outermost_body(read);
      if (!function) {
        if (lazy_annotations && in_annotation(read)) continue;
        return false;
      }
      if (std::find(functions.begin(), functions.end(), function) == functions.end())
        functions.push_back(function);
    }
  }
  if (functions.empty()) return false;
  for (Node function : functions) {
    std::vector<Node> body = function.field("body").named_children();
    if (body.empty()) return false;
    bool docstring = body.front().kind() == "expression_statement" &&
                     body.front().named_child(0).kind() == "string";
    std::string code = reindent(statement.text(), "");
    if (docstring && body.size() > 1)
      add(edits, match.file, insert_before(body[1], code));
    else
      add(edits, match.file,
          docstring ? insert_after(body.front(), code) : insert_before(body.front(), code));
  }
  add(edits, match.file, remove_statement(statement));
  return true;
}

bool append_to_module(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  auto statements = match.file.root().named_children();
  if (statements.empty()) return false;
  add(edits, match.file,
      insert_after(statements.back(), "\n" + text_of(match, arguments, "append_to_module")));
  return true;
}

/// Statements that give the names of an import a value without it: `A = B = None`.
std::vector<Ingredient> import_fallbacks(const Match& match, const Arguments& arguments) {
  Node statement = anchor(match, arguments.one("of", "match"));
  std::string code;
  for (const ImportedName& name : imported_names(statement)) {
    if (name.bound() == "*") return {{"pass", 1}};
    code += name.bound() + " = ";
  }
  if (code.empty()) return {};
  return {{code + "None", 1}, {"pass", 0.5}};
}

/// Whether the names that an import binds are read in the file (or may be by others:
/// `__init__.py`).
Truth import_used(const Match& match, const Arguments& arguments) {
  Node statement = anchor(match, arguments.one("of", "match"));
  if (match.file.path().ends_with("__init__.py")) return Truth::kTrue;
  for (const ImportedName& name : imported_names(statement)) {
    if (name.bound() == "*" || !reads_of(match.file.root(), name.bound()).empty())
      return Truth::kTrue;
    std::string quoted = "\"" + name.bound() + "\"", single = "'" + name.bound() + "'";
    bool exported = match.file.text().find(quoted) != std::string_view::npos ||
                    match.file.text().find(single) != std::string_view::npos;
    if (exported) return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether an import statement loads that module, a part of it, or something from it.
Truth imports_module(const Match& match, const Arguments& arguments) {
  std::string module = text_of(match, arguments, "name");
  for (const ImportedName& name : imported_names(match.node)) {
    std::string path = path_of(name);
    bool relative = path.starts_with('.');
    std::string dotted = "." + module;
    if (path == module || path.starts_with(module + ".")) return Truth::kTrue;
    if (relative && (dotted.ends_with(path) || dotted.ends_with("." + last_part(name.module))))
      return Truth::kTrue;
  }
  return Truth::kFalse;
}

/// Whether a dotted expression stands for one of these by the file's imports, whatever it is called
/// there.
Truth stands_for(const Match& match, const Arguments& arguments) {
  return truth(
      contains(arguments.all("any"), whole_path(match.file, text_of(match, arguments, "hole"))));
}

/// Whether the tree or an installed package has a module of that name.
Truth known_module(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  bool known =
      match.input.tree.file_of_module(name).has_value() || match.input.installed.has_module(name);
  return known ? Truth::kTrue : Truth::kFalse;
}

Truth is_module(const Match& match, const Arguments& arguments) {
  auto file = match.input.tree.file_of_module(text_of(match, arguments, "name"));
  return file && *file == match.file.path() ? Truth::kTrue : Truth::kFalse;
}

/// Imports that bring a name of the tree into this module, relative within the package.
std::vector<Ingredient> reexports(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "name");
  SourceTree& tree = match.input.tree;
  std::string own = tree.module_of_file(match.file.path());
  bool package = match.file.path().ends_with("__init__.py");
  std::string base = package ? own : parent_path(own);
  Basket basket;
  for (const Definition& definition : tree.definitions(name)) {
    std::string module = tree.module_of_file(definition.file);
    if (!is_top_level_of_tree(definition, name) || module.empty() ||
        definition.file == match.file.path())
      continue;
    bool inside = !base.empty() && module.starts_with(base + ".");
    double weight =
        (definition.file.find("test") != std::string::npos ? 0.1 : 0.6) + (inside ? 0.4 : 0.0);
    std::string from = inside ? module.substr(base.size()) : module;
    basket.add(fmt::format("from {} import {}", from, name), weight);
  }
  return basket.take();
}

/// Top-level functions, classes and values of the match's module that look like a name.
std::vector<Ingredient> module_names(const Match& match, const Arguments& arguments) {
  std::string like = text_of(match, arguments, "like");
  Basket basket;
  for (const Definition& definition : match.input.tree.outline(match.file.path())) {
    if (definition.qualname != definition.name || definition.name == like) continue;
    double similarity = name_similarity(definition.name, like);
    if (similarity >= 0.55)
      basket.add(definition.name,
                 similarity * (definition.kind == Definition::Kind::kImport ? 0.7 : 1));
  }
  return basket.take();
}

}  // namespace suture
