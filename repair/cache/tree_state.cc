#include "repair/cache/tree_state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "repair/base/digest.h"
#include "repair/base/file.h"
#include "repair/cache/field_digest.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargeFile = 16 << 20;
constexpr std::size_t kContents = 512 << 20;  // of a tree, read at most
constexpr std::size_t kMostFiles = 300'000;

/// Nothing in these is a source of the tree, and looking at the tree may change them.
const std::set<std::string, std::less<>>& folders_left_out() {
  static const std::set<std::string, std::less<>> names{
      ".git", ".hg", ".svn", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"};
  return names;
}

std::string stamp_of(const struct stat& info) {
  auto nanoseconds = [](const timespec& time) {
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  };
  // The time of change cannot be set back, unlike that of modification.
  return fmt::format("{} {} {} {}", info.st_size, nanoseconds(info.st_mtim),
                     nanoseconds(info.st_ctim), info.st_ino);
}

class Walk {
 public:
  enum class Depth { kContents, kStamps };

  Walk(fs::path root, Depth depth) : root_(std::move(root)), depth_(depth) {}

  TreeState run() {
    folder(root_);
    return {contents_.hex(), stamps_.hex()};
  }

 private:
  void folder(const fs::path& path) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
      entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    bool environment = fs::exists(path / "pyvenv.cfg", error);
    environments_ += environment ? 1 : 0;
    for (const fs::path& entry : entries) visit(entry);
    environments_ -= environment ? 1 : 0;
  }

  void visit(const fs::path& path) {
    struct stat info {};
    if (lstat(path.c_str(), &info) != 0) return;
    if (S_ISDIR(info.st_mode)) {
      if (folders_left_out().count(path.filename().string()) == 0) folder(path);
    } else if (S_ISREG(info.st_mode)) {
      regular(path, info);
    } else if (S_ISLNK(info.st_mode)) {
      link(path);
    }
  }

  void regular(const fs::path& path, const struct stat& info) {
    if (++files_ >= kMostFiles) return too_many();
    std::string name = path.lexically_relative(root_).string();
    std::string stamp = stamp_of(info);
    stamps_.add(name).add(stamp);
    if (depth_ == Depth::kStamps) return;
    contents_.add(name).add((info.st_mode & S_IXUSR) != 0 ? "x" : "-");
    bool large = std::size_t(info.st_size) > kLargeFile || read_ > kContents || environments_ > 0;
    Result<std::string> text = large ? fail(ErrorKind::kBadInput, "large") : read_file(path);
    read_ += text ? text->size() : 0;
    contents_.add(text ? sha256(*text) : stamp);
  }

  /// What cannot be looked at as a whole is never the same again.
  void too_many() {
    if (files_ > kMostFiles) return;
    std::string chance = std::to_string(std::random_device()());
    contents_.add(chance);
    stamps_.add(chance);
  }

  /// Of what lies inside the tree the contents are told at their own place.
  void link(const fs::path& path) {
    std::error_code error;
    std::string target = fs::read_symlink(path, error).string();
    std::string name = path.lexically_relative(root_).string();
    fs::path real = fs::weakly_canonical(path, error);
    auto below = real.lexically_relative(root_);
    bool inside = !error && !below.empty() && *below.begin() != "..";
    std::string stamp = inside ? "inside" : file_stamp(path);
    stamps_.add(name).add(target).add(stamp);
    contents_.add(name).add(target).add(stamp);
  }

  fs::path root_;
  Depth depth_;
  FieldDigest contents_, stamps_;
  std::size_t read_ = 0;
  std::size_t files_ = 0;
  int environments_ = 0;  ///< of Python, around the present place
};

}  // namespace

TreeState tree_state(const fs::path& root) { return Walk(root, Walk::Depth::kContents).run(); }

std::string tree_stamps(const fs::path& root) {
  return Walk(root, Walk::Depth::kStamps).run().stamps;
}

std::string file_stamp(const fs::path& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? stamp_of(info) : "missing";
}

}  // namespace suture
