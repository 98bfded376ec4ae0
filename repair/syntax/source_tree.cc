#include "repair/syntax/source_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <set>
#include <string>
#include <unordered_map>

#include "repair/base/text.h"
#include "repair/syntax/bindings.h"
#include "repair/syntax/imports.h"

namespace suture {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestSource = 4 << 20;  // bytes; larger files are generated or data
constexpr std::size_t kMostDefinitions = 50;
constexpr int kMostParsedForDefinitions = 400;  // files; a word that many files seem to define
constexpr int kImportDepth = 5;                 // re-exports of re-exports

// ---- listing -----------------------------------------------------------------------------------

class Lister {
 public:
  explicit Lister(fs::path root) : root_(std::move(root)) {}

  std::vector<std::string> list() {
    visit(root_, "", false);
    std::sort(paths_.begin(), paths_.end());
    return std::move(paths_);
  }

 private:
  static bool skipped(const fs::path& folder, const std::string& name) {
    static constexpr std::array<std::string_view, 12> kNever = {
        ".git", ".hg",  ".svn",  "__pycache__",   ".venv",       "node_modules",
        ".tox", ".nox", ".eggs", "site-packages", ".mypy_cache", ".pytest_cache"};
    if (std::find(kNever.begin(), kNever.end(), name) != kNever.end()) return true;
    if (name.ends_with(".egg-info") || name.ends_with(".dist-info")) return true;
    std::error_code none;
    if (name == "build" || name == "dist") return !fs::exists(folder / "__init__.py", none);
    return (name == "venv" || name == "env") && fs::exists(folder / "pyvenv.cfg", none);
  }

  /// Whether a symbolic link ends inside the tree.
  bool stays_inside(const fs::path& link) const {
    std::error_code ec;
    fs::path target = fs::canonical(link, ec);
    if (ec) return false;
    return std::mismatch(root_.begin(), root_.end(), target.begin(), target.end()).first ==
           root_.end();
  }

  void visit(const fs::path& folder, const std::string& prefix, bool linked) {
    std::error_code ec;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, ec), end;
         !ec && it != end; it.increment(ec)) {
      std::error_code unreadable;
      std::string name = it->path().filename().string();
      bool link = it->is_symlink(unreadable);
      bool is_folder = it->is_directory(unreadable);
      if (!is_folder && !language_of(name)) continue;
      // A folder reached through a link is listed (packages are composed this way), links below it
      // are not followed again: they could lead around in circles.
      if (link && ((is_folder && linked) || !stays_inside(it->path()))) continue;
      if (is_folder) {
        if (!skipped(it->path(), name)) visit(it->path(), prefix + name + "/", linked || link);
      } else if (it->is_regular_file(unreadable)) {
        paths_.push_back(prefix + name);
      }
    }
  }

  fs::path root_;
  std::vector<std::string> paths_;
};

/// The bytes of a file, nothing when it cannot be read. A plain read: the content must not change
/// under the Nodes, as a mapping would when the file does.
std::string slurp(const fs::path& path) {
  std::string content;
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return content;
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    content.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < content.size()) {
      ssize_t got = ::read(fd, content.data() + done, content.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    content.resize(done);
  }
  ::close(fd);
  return content;
}

// ---- searching bytes ---------------------------------------------------------------------------

bool is_word_byte(char c) {
  auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte == '_' || byte >= 0x80;
}

/// Calls `visit(position)` for the word's whole occurrences until it returns true; whether it did.
template <class Visit>
bool find_word(std::string_view text, std::string_view word, Visit visit) {
  if (word.empty()) return false;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const char* at = begin;
  while (at < end) {
    at = static_cast<const char*>(
        memmem(at, static_cast<std::size_t>(end - at), word.data(), word.size()));
    if (at == nullptr) return false;
    const char* behind = at + word.size();
    bool whole =
        (at == begin || !is_word_byte(at[-1])) && (behind == end || !is_word_byte(*behind));
    if (whole && visit(static_cast<std::size_t>(at - begin))) return true;
    at = behind;
  }
  return false;
}

std::string_view line_before(std::string_view text, std::size_t line_start) {
  if (line_start == 0) return {};
  std::size_t end = line_start - 1;
  std::size_t newline = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return text.substr(start, end - start);
}

std::size_t indent_size(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// Whether a line lies in a function, told by the less and less indented lines above it. Strings
/// over several lines can mislead it: then a file is parsed in vain, or a name in a class missed.
bool seems_inside_function(std::string_view text, std::size_t line_start, std::size_t indent) {
  while (indent > 0 && line_start > 0) {
    std::string_view line = line_before(text, line_start);
    line_start = static_cast<std::size_t>(line.data() - text.data());
    std::size_t here = indent_size(line);
    std::string_view content = trim(line);
    if (content.empty() || content[0] == '#' || here >= indent) continue;
    if (content.starts_with("def ") || content.starts_with("async def ")) return true;
    if (content.starts_with("class ")) indent = here;
    // `) -> int:` ends a header that begins at the same indentation further up.
    else
      indent = std::string_view(")]}").find(content[0]) != std::string_view::npos ? here + 1 : here;
  }
  return false;
}

/// Whether the word at a position could be defined there: `def word`, `class word`, or first thing
/// in a line of names at module or class level.
bool may_define(std::string_view text, std::size_t at) {
  std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view before = text.substr(line_start, at - line_start);
  std::string_view keyword = trim(before);
  if (keyword == "def" || keyword == "class" || keyword == "async def" || keyword == "type") {
    return true;
  }
  bool names_only = std::all_of(before.begin(), before.end(), [](char c) {
    return is_word_byte(c) ||
           std::string_view(" \t,=([*\xEF\xBB\xBF").find(c) != std::string_view::npos;
  });
  if (!names_only) return false;
  static constexpr std::array<std::string_view, 9> kNoBinding = {
      "def", "class", "async", "from", "import", "return", "assert", "raise", "if"};
  std::string_view first_word = keyword.substr(0, keyword.find_first_of(" \t("));
  if (std::find(kNoBinding.begin(), kNoBinding.end(), first_word) != kNoBinding.end()) return false;
  return !seems_inside_function(text, line_start, indent_size(before));
}

// ---- outlines ----------------------------------------------------------------------------------

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

/// The class_definition or function_definition that a Definition stands for.
Node node_of(const SourceFile& file, const Definition& definition) {
  Node node = file.node_at(definition.range);
  return node.is({"decorated_definition"}) ? node.field("definition") : node;
}

std::string without_type_arguments(std::string_view base) {
  return std::string(trim(base.substr(0, base.find('['))));
}

}  // namespace

// ---- the tree ----------------------------------------------------------------------------------

struct SourceTree::State {
  struct Entry {
    std::string path;
    std::optional<Language> language;
    bool in_memory = false;
    std::once_flag read_once, parse_once, outline_once;
    std::string bytes;
    std::unique_ptr<SourceFile> source;
    std::vector<Definition> outline;
  };

  fs::path root;
  std::vector<std::string> paths;
  std::deque<Entry> entries;  // in the order of paths; a deque, since a once_flag cannot move
  std::unordered_map<std::string_view, Entry*> by_path;

  Entry& add(std::string path) {
    Entry& entry = entries.emplace_back();
    entry.path = std::move(path);
    entry.language = language_of(entry.path);
    by_path[entry.path] = &entry;
    paths.push_back(entry.path);
    return entry;
  }

  Entry* find(std::string_view path) const {
    if (path.starts_with("./")) path.remove_prefix(2);
    auto found = by_path.find(path);
    return found == by_path.end() ? nullptr : found->second;
  }

  std::string_view bytes(Entry& entry) const {
    std::call_once(entry.read_once, [&] {
      if (!entry.in_memory) entry.bytes = slurp(root / entry.path);
    });
    return entry.bytes;
  }

  const SourceFile* source(Entry& entry) const {
    std::call_once(entry.parse_once, [&] {
      std::string_view text = bytes(entry);
      if (text.size() > kLargestSource) return;
      auto parsed = SourceFile::parse(entry.path, std::string(text), *entry.language);
      if (parsed) entry.source = std::move(*parsed);
    });
    return entry.source.get();
  }

  const std::vector<Definition>& outline(Entry& entry) const {
    std::call_once(entry.outline_once, [&] {
      const SourceFile* file = source(entry);
      if (file == nullptr || file->language() != Language::kPython) return;
      add_outline(file->root(), "", entry.outline);
    });
    return entry.outline;
  }
};

SourceTree::SourceTree(std::unique_ptr<State> state) : state_(std::move(state)) {}
SourceTree::~SourceTree() = default;

Result<std::unique_ptr<SourceTree>> SourceTree::open(const fs::path& root) {
  std::error_code ec;
  fs::path canonical = fs::canonical(root, ec);
  if (ec) return fail(ErrorKind::kNotFound, fmt::format("no such folder: {}", root.string()));
  if (!fs::is_directory(canonical, ec)) {
    return fail(ErrorKind::kBadInput, fmt::format("{} is not a folder", root.string()));
  }
  auto state = std::make_unique<State>();
  state->root = canonical;
  for (std::string& path : Lister(canonical).list()) state->add(std::move(path));
  return std::unique_ptr<SourceTree>(new SourceTree(std::move(state)));
}

std::unique_ptr<SourceTree> SourceTree::in_memory(std::map<std::string, std::string> files) {
  auto state = std::make_unique<State>();
  for (auto& [path, content] : files) {
    if (!language_of(path)) continue;
    State::Entry& entry = state->add(path);
    entry.in_memory = true;
    entry.bytes = std::move(content);
  }
  return std::unique_ptr<SourceTree>(new SourceTree(std::move(state)));
}

const fs::path& SourceTree::root() const { return state_->root; }
const std::vector<std::string>& SourceTree::paths() const { return state_->paths; }
bool SourceTree::has(std::string_view path) const { return state_->find(path) != nullptr; }

const SourceFile* SourceTree::source(std::string_view path) {
  State::Entry* entry = state_->find(path);
  return entry == nullptr ? nullptr : state_->source(*entry);
}

std::string_view SourceTree::bytes(std::string_view path) {
  State::Entry* entry = state_->find(path);
  return entry == nullptr ? std::string_view() : state_->bytes(*entry);
}

std::vector<std::string> SourceTree::files_mentioning(std::string_view word) {
  std::vector<std::string> found;
  for (State::Entry& entry : state_->entries) {
    if (entry.language != Language::kPython) continue;
    if (find_word(state_->bytes(entry), word, [](std::size_t) { return true; })) {
      found.push_back(entry.path);
    }
  }
  return found;
}

std::vector<Definition> SourceTree::definitions(std::string_view name) {
  std::vector<Definition> found;
  int parsed = 0;
  for (State::Entry& entry : state_->entries) {
    if (found.size() >= kMostDefinitions || parsed >= kMostParsedForDefinitions) break;
    if (entry.language != Language::kPython) continue;
    std::string_view text = state_->bytes(entry);
    if (!find_word(text, name, [&](std::size_t at) { return may_define(text, at); })) continue;
    ++parsed;
    for (const Definition& definition : state_->outline(entry)) {
      if (definition.name == name && definition.kind != Definition::Kind::kImport &&
          found.size() < kMostDefinitions) {
        found.push_back(definition);
      }
    }
  }
  return found;
}

const std::vector<Definition>& SourceTree::outline(std::string_view path) {
  static const std::vector<Definition> kNothing;
  State::Entry* entry = state_->find(path);
  return entry == nullptr ? kNothing : state_->outline(*entry);
}

// ---- modules -----------------------------------------------------------------------------------

std::optional<std::string> SourceTree::file_of_module(std::string_view module) const {
  if (module.empty()) return std::nullopt;
  std::string path = replace_all(std::string(module), ".", "/");
  for (std::string_view prefix : {"", "src/"}) {
    for (std::string_view suffix : {"/__init__.py", ".py"}) {
      std::string candidate = fmt::format("{}{}{}", prefix, path, suffix);
      if (has(candidate)) return candidate;
    }
  }
  return std::nullopt;
}

std::string SourceTree::module_of_file(std::string_view path) const {
  if (path.starts_with("src/") && !has("src/__init__.py")) path.remove_prefix(4);
  std::size_t dot = path.rfind('.');
  path = path.substr(0, dot == std::string_view::npos ? path.size() : dot);
  if (path == "__init__") return "";
  if (path.ends_with("/__init__")) path.remove_suffix(std::strlen("/__init__"));
  return replace_all(std::string(path), "/", ".");
}

std::vector<std::string> SourceTree::top_level_names() const {
  std::set<std::string> names;
  for (std::string_view path : state_->paths) {
    if (!path.ends_with(".py")) continue;
    if (path.starts_with("src/") && !has("src/__init__.py")) path.remove_prefix(4);
    std::vector<std::string> parts = split(path, '/');
    // A module; a package; a package without __init__.py that holds one with it.
    bool module = parts.size() == 1 && parts[0] != "__init__.py";
    bool package = (parts.size() == 2 || parts.size() == 3) && parts.back() == "__init__.py";
    if (module) names.insert(parts[0].substr(0, parts[0].size() - 3));
    if (package) names.insert(parts[0]);
  }
  return {names.begin(), names.end()};
}

// ---- following names ---------------------------------------------------------------------------

namespace {

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
      auto source = tree_.file_of_module(absolute(file, definition.source_module));
      if (!source || *source == file) continue;
      if (auto found = simple(*source, name, depth + 1)) return found;
    }
    return std::nullopt;
  }

  /// What an import stands for.
  std::optional<Definition> follow(std::string_view file, const Definition& import, int depth) {
    if (import.source_module.empty()) return module({import.source_name});
    std::string from = absolute(file, import.source_module);
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

  /// "..a.b" as written in a file -> "pkg.a.b".
  std::string absolute(std::string_view file, std::string_view module) {
    std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
    if (dots == 0) return std::string(module);
    std::vector<std::string> parts = split(tree_.module_of_file(file), '.');
    bool is_package = file.ends_with("__init__.py");
    std::size_t up = dots - (is_package ? 1 : 0);
    parts.resize(parts.size() - std::min(up, parts.size()));
    std::string_view rest = module.substr(dots);
    if (!rest.empty()) parts.emplace_back(rest);
    return join(parts, ".");
  }

  /// Imports of the name anywhere in a file but at module and class level.
  std::vector<Definition> imports_in_functions(std::string_view file, std::string_view name) {
    std::vector<Definition> found;
    const SourceFile* source = tree_.source(file);
    if (source == nullptr || !mentions_word(source->text(), name)) return found;
    walk(source->root(), [&](Node node) {
      for (const ImportedName& imported : imported_names(node)) {
        if (imported.bound() == name && enclosing_function(node)) {
          found.push_back(import_definition(imported, node));
        }
      }
      return !node.is({"expression_statement", "return_statement"});
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
