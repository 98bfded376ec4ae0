#include "repair/related_tests.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "repair/base/text.h"
#include "repair/syntax/imports.h"

namespace suture {
namespace {
namespace fs = std::filesystem;

/// Files parsed for their imports; the likelier ones come first.
constexpr std::size_t kMostParsed = 60;

/// "pkg/mod.py" -> "mod"; a package is called by its folder.
std::string stem_of(const std::string& file) {
  fs::path path(file);
  return path.stem() == "__init__" ? path.parent_path().filename().string() : path.stem().string();
}

bool is_named_after(const std::string& test_file, const std::string& file) {
  std::string name = fs::path(test_file).stem().string(), stem = stem_of(file);
  return !stem.empty() && (name == "test_" + stem || name == stem + "_test");
}

/// How many folders and words of the edited file's path the test file's path has as well.
int likeness(const std::string& test_file, const std::string& file) {
  std::set<std::string> parts;
  for (const fs::path& part : fs::path(test_file)) parts.insert(part.string());
  fs::path folders = fs::path(file).parent_path();
  return int(std::ranges::count_if(
      folders, [&](const fs::path& part) { return parts.contains(part.string()); }));
}

/// What ties a test file to edited code, the closest first.
enum class Tie { kNamedAndImports, kImportsDefinition, kImportsModule, kNamed, kNone };

class Related {
 public:
  Related(const std::vector<EditedPlace>& places, const Check& check, SourceTree& tree)
      : places_(places), check_(check), tree_(tree) {}

  std::vector<std::string> best(std::size_t limit) {
    std::vector<Entry> entries;
    for (const std::string& file : candidates()) {
      Entry entry = judge(file);
      if (entry.own || entry.tie != Tie::kNone) entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end());
    std::vector<std::string> files;
    for (Entry& entry : entries) {
      if (files.size() < limit) files.push_back(std::move(entry.file));
    }
    return files;
  }

 private:
  struct Entry {
    bool own = false;  ///< the check runs a part of it
    Tie tie = Tie::kNone;
    int likeness = 0;
    std::string file;

    bool operator<(const Entry& other) const {
      auto key = [](const Entry& e) { return std::tuple(!e.own, e.tie, -e.likeness); };
      return key(*this) != key(other) ? key(*this) < key(other) : file < other.file;
    }
  };

  /// Test files whose text or name says that a look at their imports is worth it.
  std::vector<std::string> candidates() {
    std::set<std::string> words, found;
    for (const EditedPlace& place : places_) {
      words.insert(stem_of(place.file));
      words.insert(place.names.begin(), place.names.end());
    }
    for (const std::string& word : words) {
      // Special methods are defined and mentioned everywhere.
      if (word.empty() || word.starts_with("__")) continue;
      for (std::string& file : tree_.files_mentioning(word)) found.insert(std::move(file));
    }
    for (const std::string& file : tree_.paths()) {
      if (!is_test_file(file)) continue;
      if (named_after_any(file) || scope_of(check_, file, tree_) == CheckScope::kPart)
        found.insert(file);
    }
    std::vector<std::pair<int, std::string>> sorted;
    for (const std::string& file : found) {
      if (!is_test_file(file) || scope_of(check_, file, tree_) == CheckScope::kAll) continue;
      sorted.emplace_back(-(100 * int(named_after_any(file)) + likeness_to_any(file)), file);
    }
    std::ranges::sort(sorted);
    std::vector<std::string> files;
    for (auto& [order, file] : sorted) files.push_back(std::move(file));
    files.resize(std::min(files.size(), kMostParsed));
    return files;
  }

  bool named_after_any(const std::string& file) const {
    return std::ranges::any_of(
        places_, [&](const EditedPlace& place) { return is_named_after(file, place.file); });
  }

  int likeness_to_any(const std::string& file) const {
    int best = 0;
    for (const EditedPlace& place : places_) best = std::max(best, likeness(file, place.file));
    return best;
  }

  Entry judge(const std::string& file) {
    Entry entry{scope_of(check_, file, tree_) == CheckScope::kPart, Tie::kNone,
                likeness_to_any(file), file};
    for (const EditedPlace& place : places_) entry.tie = std::min(entry.tie, tie(file, place));
    return entry;
  }

  Tie tie(const std::string& file, const EditedPlace& place) {
    Tie imports = imported(file, place);
    if (!is_named_after(file, place.file)) return imports;
    return imports == Tie::kNone ? Tie::kNamed : Tie::kNamedAndImports;
  }

  /// What the imports of a test file, at any level, take from the edited file.
  Tie imported(const std::string& file, const EditedPlace& place) {
    const SourceFile* source = tree_.source(file);
    if (source == nullptr) return Tie::kNone;
    bool module = false, definition = false;
    walk(source->root(), [&](Node node) {
      for (const ImportedName& name : imported_names(node)) {
        if (!takes_from(file, name, place.file)) continue;
        module = true;
        definition = definition || std::ranges::find(place.names, name.name) != place.names.end();
      }
      return !node.is({"expression_statement", "return_statement"});
    });
    if (!module) return Tie::kNone;
    definition = definition || (!place.names.empty() && !place.names.back().starts_with("__") &&
                                mentions_word(source->text(), place.names.back()));
    return definition ? Tie::kImportsDefinition : Tie::kImportsModule;
  }

  bool takes_from(const std::string& file, const ImportedName& name, const std::string& edited) {
    if (name.module.empty()) return tree_.file_of_module(name.name) == edited;
    if (tree_.file_of_module(name.module) == edited) return true;
    auto found = tree_.resolve(file, name.bound());
    return found && found->file == edited;
  }

  const std::vector<EditedPlace>& places_;
  const Check& check_;
  SourceTree& tree_;
};

/// The words of a command, those inside a shell line too.
std::vector<std::string> words_of(const Check& check) {
  std::vector<std::string> words;
  for (const std::string& part : check.command) {
    std::string word;
    for (char c : part + " ") {
      if (std::string_view(" \t\n'\"=;&|()").find(c) == std::string_view::npos) {
        word += c;
      } else if (!word.empty()) {
        words.push_back(std::move(word));
        word.clear();
      }
    }
  }
  return words;
}

/// A word as a path relative to the tree, without what follows the file in a node id.
std::string path_in(const SourceTree& tree, std::string_view word) {
  std::string path = fs::path(word.substr(0, word.find("::"))).lexically_normal().string();
  std::string root = tree.root().string() + "/";
  if (path.starts_with(root)) path = path.substr(root.size());
  while (path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

bool is_test_file(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
}

CheckScope scope_of(const Check& check, std::string_view test_file, const SourceTree& tree) {
  std::vector<std::string> words = words_of(check);
  auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  CheckScope all = has("-k") || has("--deselect") ? CheckScope::kPart : CheckScope::kAll;
  bool pytest = std::ranges::any_of(words, [](const std::string& word) { return is_pytest(word); });
  std::string module = tree.module_of_file(test_file);
  CheckScope scope = CheckScope::kNothing;
  for (const std::string& word : words) {
    std::string path = path_in(tree, word);
    bool folder = pytest && !path.empty() && test_file.starts_with(path + "/");
    bool whole = path == test_file ? word.find("::") == std::string::npos : word == module;
    if (folder || whole) return all;
    if (path == test_file || word.starts_with(module + ".")) scope = CheckScope::kPart;
  }
  return scope;
}

std::vector<std::string> related_test_files(const std::vector<EditedPlace>& places,
                                            const Check& check, SourceTree& tree,
                                            std::size_t limit) {
  return places.empty() ? std::vector<std::string>() : Related(places, check, tree).best(limit);
}

}  // namespace suture
