#include "repair/syntax/source_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "repair/base/text.h"
#include "repair/syntax/outline.h"
#include "repair/syntax/source_list.h"
#include "repair/syntax/text_search.h"

namespace suture {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestSource = 4 << 20;  // bytes; larger files are generated or data
constexpr std::size_t kMostDefinitions = 50;
constexpr int kMostParsedForDefinitions = 400;  // files; a word that many files seem to define

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

}  // namespace

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

  std::once_flag index_once;
  std::map<std::string, std::vector<std::string>, std::less<>> defining;  // name -> files

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
      if (file != nullptr) entry.outline = outline_of(*file);
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
  for (std::string& path : list_sources(canonical)) state->add(std::move(path));
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

std::unique_ptr<SourceTree> SourceTree::edited(
    const std::map<std::string, std::string>& files) const {
  auto state = std::make_unique<State>();
  state->root = state_->root;
  for (const State::Entry& original : state_->entries) {
    State::Entry& entry = state->add(original.path);
    auto other = files.find(entry.path);
    if (other == files.end() && !original.in_memory) continue;
    entry.in_memory = true;
    entry.bytes = other == files.end() ? original.bytes : other->second;
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

namespace {

/// Calls `found` for every name behind a `def` or `class` in the text.
template <class Found>
void each_defined_name(std::string_view text, std::string_view keyword, Found found) {
  auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(keyword); at != std::string_view::npos;
       at = text.find(keyword, at + 1)) {
    if (at > 0 && letter(text[at - 1])) continue;
    std::size_t start = at + keyword.size();
    std::size_t end = start;
    while (end < text.size() && letter(text[end])) ++end;
    if (end > start) found(text.substr(start, end - start));
  }
}

}  // namespace

const std::vector<std::string>& SourceTree::files_defining(std::string_view name) {
  std::call_once(state_->index_once, [&] {
    for (State::Entry& entry : state_->entries) {
      if (entry.language != Language::kPython) continue;
      auto note = [&](std::string_view defined) {
        auto [at, added] = state_->defining.try_emplace(std::string(defined));
        if (at->second.empty() || at->second.back() != entry.path) at->second.push_back(entry.path);
      };
      std::string_view text = state_->bytes(entry);
      each_defined_name(text, "def ", note);
      each_defined_name(text, "class ", note);
    }
  });
  static const std::vector<std::string> kNone;
  auto at = state_->defining.find(name);
  return at == state_->defining.end() ? kNone : at->second;
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

std::string SourceTree::absolute_module(std::string_view file, std::string_view module) const {
  std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
  if (dots == 0) return std::string(module);
  std::vector<std::string> parts = split(module_of_file(file), '.');
  bool is_package = file.ends_with("__init__.py");
  std::size_t up = dots - (is_package ? 1 : 0);
  parts.resize(parts.size() - std::min(up, parts.size()));
  std::string_view rest = module.substr(dots);
  if (!rest.empty()) parts.emplace_back(rest);
  return join(parts, ".");
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

}  // namespace suture
