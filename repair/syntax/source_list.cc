#include "repair/syntax/source_list.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "repair/syntax/source_file.h"

namespace suture {
namespace fs = std::filesystem;

namespace {

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

}  // namespace

std::vector<std::string> list_sources(const fs::path& root) { return Lister(root).list(); }

}  // namespace suture
