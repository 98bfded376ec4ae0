#include "repair/requirements.h"

#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <system_error>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/syntax/source_file.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kFileBytes = 200'000;

/// "torch[extra] >=2, <3  # why" -> a requirement without a place.
std::optional<Requirement> read_requirement(std::string_view text) {
  static const re2::RE2 form(
      R"(([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*\(?([^;@()]*?)\)?\s*)");
  std::string line(trim(text.substr(0, text.find(" #"))));
  Requirement requirement;
  std::string specifier;
  if (!re2::RE2::FullMatch(line, form, &requirement.name, &specifier)) return std::nullopt;
  auto allowed = VersionSpecifier::parse(specifier);
  if (!allowed) return std::nullopt;
  requirement.allowed = std::move(*allowed);
  return requirement;
}

/// Collects the requirements of one file.
class Reader {
 public:
  Reader(std::string file, std::vector<Requirement>& found)
      : file_(std::move(file)), found_(found) {}

  void add(std::string_view text, int line) {
    auto requirement = read_requirement(text);
    if (!requirement) return;
    requirement->file = file_;
    requirement->line = line;
    found_.push_back(std::move(*requirement));
  }

  /// One a line, as pip reads them.
  void read_lines(const std::string& text) {
    int number = 0;
    for (std::string_view line : split_lines(text)) {
      ++number;
      if (!trim(line).empty() && !trim(line).starts_with('-')) add(line, number);
    }
  }

  /// The indented lines behind `install_requires =` in `[options]`.
  void read_setup_cfg(const std::string& text) {
    static const re2::RE2 key(R"(install_requires\s*=\s*(.*))");
    bool options = false, within = false;
    int number = 0;
    for (std::string_view line : split_lines(text)) {
      ++number;
      std::string rest;
      bool indented = line.starts_with(' ') || line.starts_with('\t');
      if (trim(line).empty() || trim(line).starts_with('#')) continue;
      if (within && indented) {
        add(line, number);
        continue;
      }
      within = false;
      if (line.starts_with('[')) options = trim(line) == "[options]";
      if (options && re2::RE2::FullMatch(std::string(line), key, &rest)) {
        within = true;
        if (!rest.empty()) add(rest, number);
      }
    }
  }

  /// The texts in `dependencies = [...]` of `[project]`.
  void read_pyproject(const std::string& text) {
    static const re2::RE2 key(R"(dependencies\s*=\s*\[(.*))");
    bool project = false, within = false;
    int number = 0;
    for (std::string_view line : split_lines(text)) {
      ++number;
      std::string rest(trim(line));
      if (!within && rest.starts_with('[')) project = rest == "[project]";
      if (!within && !(project && re2::RE2::FullMatch(std::string(trim(line)), key, &rest)))
        continue;
      within = !add_texts(rest, number);
    }
  }

  /// The texts in lists that are given to, or assigned to, `install_requires`.
  void read_setup_py(const std::string& text) {
    auto file = SourceFile::parse(file_, text, Language::kPython);
    if (!file) return;
    walk((*file)->root(), [&](Node node) {
      bool keyword =
          node.kind() == "keyword_argument" && node.field("name").text() == "install_requires";
      bool assigned =
          node.kind() == "assignment" && node.field("left").text() == "install_requires";
      Node list = keyword ? node.field("value") : assigned ? node.field("right") : Node();
      if (list.kind() != "list") return true;
      for (Node item : list.named_children()) {
        if (item.kind() != "string" || item.text().starts_with('f')) continue;
        std::string_view quoted = item.text();
        if (quoted.size() > 2) add(quoted.substr(1, quoted.size() - 2), item.line());
      }
      return false;
    });
  }

 private:
  /// The quoted texts of a line of a TOML list; whether the list ends there.
  bool add_texts(const std::string& line, int number) {
    char quote = 0;
    std::string text;
    for (char c : line) {
      if (quote != 0 && c == quote) {
        add(text, number);
        quote = 0;
      } else if (quote != 0) {
        text += c;
      } else if (c == '"' || c == '\'') {
        quote = c;
        text.clear();
      } else if (c == ']') {
        return true;
      } else if (c == '#') {
        return false;
      }
    }
    return false;
  }

  std::string file_;
  std::vector<Requirement>& found_;
};

/// requirements*.txt of a folder, sorted, relative to the tree.
std::vector<std::string> requirement_files(const fs::path& tree, const std::string& folder,
                                           std::string_view prefix) {
  std::vector<std::string> files;
  std::error_code ec;
  for (auto it = fs::directory_iterator(tree / folder, ec); !ec && it != fs::directory_iterator();
       it.increment(ec)) {
    std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".txt"))
      files.push_back(folder.empty() ? name : folder + "/" + name);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::string normalised_name(std::string_view name) {
  std::string result;
  for (char c : name) {
    bool separator = c == '-' || c == '_' || c == '.';
    if (separator && result.ends_with('-')) continue;
    result += separator ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  }
  return result;
}

std::vector<Requirement> declared_requirements(const fs::path& tree) {
  std::vector<Requirement> found;
  auto read = [&](const std::string& path, void (Reader::*how)(const std::string&)) {
    std::error_code ec;
    if (!fs::is_regular_file(fs::symlink_status(tree / path, ec))) return;
    auto text = read_file(tree / path, kFileBytes);
    if (!text) return;
    Reader reader(path, found);
    (reader.*how)(*text);
  };
  for (const std::string& path : requirement_files(tree, "", "requirements"))
    read(path, &Reader::read_lines);
  for (const std::string& path : requirement_files(tree, "requirements", ""))
    read(path, &Reader::read_lines);
  read("setup.cfg", &Reader::read_setup_cfg);
  read("pyproject.toml", &Reader::read_pyproject);
  read("setup.py", &Reader::read_setup_py);
  return found;
}

}  // namespace suture
