#include "repair/vcs/apply.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "repair/base/file.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kNothingWritten = "nothing was written";

/// The file that a path of a change means, links resolved. Errors: kBadInput when it is outside the
/// tree.
Result<fs::path> place_in(const fs::path& tree, const std::string& path) {
  std::error_code ec;
  fs::path root = fs::canonical(tree, ec);
  fs::path place = ec ? fs::path() : fs::weakly_canonical(root / path, ec);
  if (ec) return fail(ErrorKind::kBadInput, fmt::format("{}: {}", path, ec.message()));
  fs::path relative = place.lexically_relative(root);
  if (relative.empty() || *relative.begin() == ".." || relative == ".") {
    return fail(ErrorKind::kBadInput, fmt::format("{} leads out of {}", path, root.string()),
                std::string(kNothingWritten));
  }
  return place;
}

Status expect_content(const fs::path& place, const FileChange& change) {
  std::error_code ec;
  bool there = fs::exists(place, ec);
  if (there != change.before.has_value()) {
    return fail(ErrorKind::kBadInput,
                change.path + (there ? " exists now; it did not when the search started"
                                     : " is gone since the search started"),
                std::string(kNothingWritten));
  }
  if (!there) return {};
  TRY(std::string now, read_file(place));
  if (now == *change.before) return {};
  return fail(ErrorKind::kBadInput,
              fmt::format("{} was changed since the search started", change.path),
              fmt::format("{}; repair again", kNothingWritten));
}

/// One replaced file and the way back. Keeps the old file under a second name until it goes.
class Replacement {
 public:
  explicit Replacement(fs::path place) : place_(std::move(place)) {}
  Replacement(Replacement&& other) noexcept
      : place_(std::move(other.place_)),
        backup_(std::exchange(other.backup_, {})),
        made_file_(other.made_file_),
        made_folders_(std::move(other.made_folders_)) {}
  Replacement(const Replacement&) = delete;
  Replacement& operator=(Replacement&&) = delete;
  ~Replacement() {
    if (!backup_.empty()) unlink(backup_.c_str());
  }

  Status write(const FileChange& change) {
    if (change.before) TRY_STATUS(keep_old());
    if (!change.after) return remove();
    if (!change.before) TRY_STATUS(claim_name());
    return write_file_atomically(place_, *change.after);
  }

  /// Puts the old file itself back, so that even its times are as they were.
  void undo() {
    if (made_file_) unlink(place_.c_str());
    if (!backup_.empty() && rename(backup_.c_str(), place_.c_str()) == 0) {
      // Where both names are still one file, rename does nothing and the second name stays.
      unlink(backup_.c_str());
      backup_.clear();
    }
    for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder) {
      rmdir(folder->c_str());
    }
  }

 private:
  Status keep_old() {
    fs::path name = fmt::format("{}.suture-old-{}", place_.string(), getpid());
    if (link(place_.c_str(), name.c_str()) != 0) return failed("keep a copy of");
    backup_ = std::move(name);
    return {};
  }

  /// Makes an empty file, so that one that somebody else made meanwhile is not overwritten.
  Status claim_name() {
    TRY_STATUS(make_folders());
    int fd = open(place_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return failed("create");
    close(fd);
    made_file_ = true;
    return {};
  }

  Status remove() { return unlink(place_.c_str()) == 0 ? Status{} : failed("remove"); }

  Status make_folders() {
    std::vector<fs::path> missing;
    std::error_code ec;
    for (fs::path folder = place_.parent_path(); !fs::exists(folder, ec);
         folder = folder.parent_path()) {
      missing.push_back(folder);
    }
    for (; !missing.empty(); missing.pop_back()) {
      if (!fs::create_directory(missing.back(), ec)) return failed("make the folder of");
      made_folders_.push_back(missing.back());
    }
    return {};
  }

  tl::unexpected<Error> failed(std::string_view what) const {
    return fail(ErrorKind::kInfra,
                fmt::format("cannot {} {}: {}", what, place_.string(), std::strerror(errno)),
                std::string(kNothingWritten));
  }

  fs::path place_, backup_;
  bool made_file_ = false;
  std::vector<fs::path> made_folders_;
};

}  // namespace

Status apply_changes(const fs::path& tree, const std::vector<FileChange>& changes) {
  std::vector<fs::path> places;
  for (const FileChange& change : changes) {
    TRY(fs::path place, place_in(tree, change.path));
    TRY_STATUS(expect_content(place, change));
    places.push_back(std::move(place));
  }
  std::vector<Replacement> done;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Replacement& replacement = done.emplace_back(places[i]);
    Status written = replacement.write(changes[i]);
    if (written) continue;
    for (auto undone = done.rbegin(); undone != done.rend(); ++undone) undone->undo();
    written.error().hint = kNothingWritten;
    return written;
  }
  return {};
}

}  // namespace suture
