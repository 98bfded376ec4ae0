#include "repair/propose/facts.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <system_error>

#include "repair/base/file.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

SourcePos position(const std::string& path, const YAML::Mark& mark) {
  return mark.is_null() ? SourcePos{path, 1, 1} : SourcePos{path, mark.line + 1, mark.column + 1};
}

Result<ApiMove> read_move(const YAML::Node& node, std::string library, const std::string& path) {
  SourcePos where = position(path, node.Mark());
  if (!node.IsMap())
    return fail(ErrorKind::kBadInput, "a move must be a mapping", "fields: old, new, since, kind",
                where);
  ApiMove move;
  for (const auto& entry : node) {
    std::string key = entry.first.as<std::string>(), value = entry.second.as<std::string>();
    if (key == "old")
      move.old_path = value;
    else if (key == "new")
      move.new_path = value;
    else if (key == "since")
      move.since = value;
    else if (key == "kind")
      move.kind = value;
    else
      return fail(ErrorKind::kBadInput, fmt::format("a move has no field `{}`", key),
                  "fields: old, new, since, kind", where);
  }
  static const RE2 dotted(R"([A-Za-z_]\w*(\.[A-Za-z_]\w*)*)"), version(R"(\d+(\.\d+)*)");
  if (!RE2::FullMatch(move.old_path, dotted) || !RE2::FullMatch(move.new_path, dotted)) {
    return fail(ErrorKind::kBadInput, "old and new are dotted paths",
                "for example collections.abc.Mapping", where);
  }
  if (!RE2::FullMatch(move.since, version)) {
    return fail(ErrorKind::kBadInput, fmt::format("since is a version, not `{}`", move.since),
                "for example \"1.20\"", where);
  }
  if (move.kind != "moved" && move.kind != "renamed" && move.kind != "removed") {
    return fail(ErrorKind::kBadInput, fmt::format("no kind `{}`", move.kind),
                "kinds: moved, renamed, removed", where);
  }
  move.library =
      library.empty() ? move.old_path.substr(0, move.old_path.find('.')) : std::move(library);
  if (move.old_path == move.new_path)
    return fail(ErrorKind::kBadInput, "old and new are the same", "", where);
  return move;
}

Status read_file_of_moves(const fs::path& path, std::vector<ApiMove>& moves) {
  TRY(std::string text, read_file(path));
  try {
    YAML::Node root = YAML::Load(text);
    if (!root.IsMap() || !root["moves"] || !root["moves"].IsSequence()) {
      return fail(ErrorKind::kBadInput, "a file of facts has a list `moves`",
                  "and `library` when it is not the first part of the paths",
                  SourcePos{path.string(), 1, 1});
    }
    std::string library = root["library"] ? root["library"].as<std::string>() : "";
    for (const auto& item : root["moves"]) {
      TRY(ApiMove move, read_move(item, library, path.string()));
      moves.push_back(std::move(move));
    }
  } catch (const YAML::Exception& e) {
    return fail(ErrorKind::kBadInput, "not valid YAML: " + e.msg, "",
                position(path.string(), e.mark));
  }
  return {};
}

bool by_old_path(const ApiMove& a, const ApiMove& b) { return a.old_path < b.old_path; }

}  // namespace

Result<std::shared_ptr<const Facts>> Facts::load(const fs::path& folder) {
  std::error_code ec;
  std::vector<fs::path> files;
  for (auto it = fs::directory_iterator(folder, ec); !ec && it != fs::directory_iterator();
       it.increment(ec)) {
    if (it->path().extension() == ".yaml") files.push_back(it->path());
  }
  if (ec)
    return fail(ErrorKind::kInfra,
                fmt::format("cannot list {}: {}", folder.string(), ec.message()));
  std::sort(files.begin(), files.end());
  auto facts = std::make_shared<Facts>();
  for (const fs::path& file : files) TRY_STATUS(read_file_of_moves(file, facts->moves_));
  std::stable_sort(facts->moves_.begin(), facts->moves_.end(), by_old_path);
  for (const ApiMove& move : facts->moves_)
    facts->names_.insert(move.old_path.substr(move.old_path.rfind('.') + 1));
  return std::shared_ptr<const Facts>(std::move(facts));
}

Result<std::shared_ptr<const Facts>> Facts::beside(const fs::path& pattern_file) {
  fs::path folder = pattern_file.parent_path();
  std::error_code ec;
  for (int up = 0; up < 3 && !folder.empty(); ++up, folder = folder.parent_path()) {
    if (fs::is_directory(folder / "facts", ec)) return load(folder / "facts");
  }
  return std::shared_ptr<const Facts>(std::make_shared<Facts>());
}

std::vector<const ApiMove*> Facts::of(std::string_view path) const {
  std::vector<const ApiMove*> found;
  auto at =
      std::lower_bound(moves_.begin(), moves_.end(), path,
                       [](const ApiMove& move, std::string_view p) { return move.old_path < p; });
  for (; at != moves_.end() && at->old_path == path; ++at) found.push_back(&*at);
  return found;
}

std::vector<const ApiMove*> Facts::below(std::string_view path) const {
  std::string prefix = std::string(path) + ".";
  std::vector<const ApiMove*> found;
  auto at =
      std::lower_bound(moves_.begin(), moves_.end(), prefix,
                       [](const ApiMove& move, const std::string& p) { return move.old_path < p; });
  for (; at != moves_.end() && at->old_path.starts_with(prefix); ++at) found.push_back(&*at);
  return found;
}

}  // namespace suture
