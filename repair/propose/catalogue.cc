#include "repair/propose/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// Data of other kinds that lives beside the patterns.
bool holds_pattern(const fs::path& path) {
  bool data = path.filename() == "ranking.yaml" || path.filename() == "record.yaml" ||
              path.filename() == "confidence.yaml";
  if (path.extension() != ".yaml" || data) return false;
  return std::none_of(path.begin(), path.end(),
                      [](const fs::path& part) { return part == "facts"; });
}

Result<std::vector<fs::path>> pattern_files(const fs::path& folder) {
  std::error_code ec;
  if (!fs::is_directory(folder, ec)) {
    return fail(ErrorKind::kNotFound, fmt::format("no pattern folder {}", folder.string()));
  }
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(folder, ec);
       !ec && it != fs::recursive_directory_iterator(); it.increment(ec)) {
    if (it->is_regular_file(ec) && holds_pattern(fs::relative(it->path(), folder, ec)))
      files.push_back(it->path());
  }
  if (ec)
    return fail(ErrorKind::kInfra,
                fmt::format("cannot list {}: {}", folder.string(), ec.message()));
  std::sort(files.begin(), files.end());
  return files;
}

bool by_id(const Pattern& a, const Pattern& b) { return a.id < b.id; }

}  // namespace

Result<Catalogue> Catalogue::load(const std::vector<fs::path>& folders) {
  return load_where(folders, [](std::string_view) { return true; });
}

Result<Catalogue> Catalogue::load_static(const std::vector<fs::path>& folders) {
  return load_where(folders, [](std::string_view yaml) {
    return yaml.starts_with("scan:") || yaml.find("\nscan:") != std::string_view::npos;
  });
}

Result<Catalogue> Catalogue::load_where(const std::vector<fs::path>& folders,
                                        bool (*wanted)(std::string_view yaml)) {
  Catalogue catalogue;
  for (const fs::path& folder : folders) {
    TRY(std::vector<fs::path> files, pattern_files(folder));
    for (const fs::path& file : files) {
      TRY(std::string text, read_file(file));
      if (!wanted(text)) continue;
      TRY(Pattern pattern, load_pattern(text, file.string()));
      if (const Pattern* other = catalogue.find(pattern.id)) {
        return fail(
            ErrorKind::kBadInput,
            fmt::format("the pattern id `{}` is already used by {}", pattern.id, other->path),
            "ids are unique", SourcePos{file.string(), 1, 1});
      }
      catalogue.patterns_.push_back(std::move(pattern));
    }
  }
  std::sort(catalogue.patterns_.begin(), catalogue.patterns_.end(), by_id);
  return catalogue;
}

Catalogue Catalogue::of(std::vector<Pattern> patterns) {
  Catalogue catalogue;
  catalogue.patterns_ = std::move(patterns);
  std::sort(catalogue.patterns_.begin(), catalogue.patterns_.end(), by_id);
  return catalogue;
}

const Pattern* Catalogue::find(std::string_view id) const {
  auto at = std::find_if(patterns_.begin(), patterns_.end(),
                         [&](const Pattern& p) { return p.id == id; });
  return at == patterns_.end() ? nullptr : &*at;
}

Status Catalogue::select(const std::vector<std::string>& only,
                         const std::vector<std::string>& exclude) {
  std::set<std::string> words;
  for (const Pattern& pattern : patterns_) words.insert({pattern.id, pattern.family});
  for (const auto* list : {&only, &exclude}) {
    for (const std::string& word : *list) {
      if (words.contains(word)) continue;
      auto near = std::max_element(words.begin(), words.end(), [&](auto& a, auto& b) {
        return name_similarity(a, word) < name_similarity(b, word);
      });
      return fail(ErrorKind::kUsage, fmt::format("no pattern or family `{}`", word),
                  near == words.end() ? "the catalogue is empty"
                                      : fmt::format("did you mean `{}`?", *near));
    }
  }
  auto named = [](const std::vector<std::string>& list, const Pattern& pattern) {
    return std::find(list.begin(), list.end(), pattern.id) != list.end() ||
           std::find(list.begin(), list.end(), pattern.family) != list.end();
  };
  std::erase_if(patterns_, [&](const Pattern& pattern) {
    return (!only.empty() && !named(only, pattern)) || named(exclude, pattern);
  });
  return {};
}

}  // namespace suture
