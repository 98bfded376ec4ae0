#include "repair/validate/hidden_places.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace suture {
namespace fs = std::filesystem;
namespace {

/// Each hidden place costs a mount a run.
constexpr std::size_t kMostHidden = 200;

struct SearchedFolder {
  const char* path;
  int depth;
};

// Deep enough for what Debian's packages put there, shallow enough to take milliseconds.
constexpr SearchedFolder kSearched[] = {
    {"/etc", 5}, {"/var/lib", 2}, {"/var/cache", 2}, {"/boot", 2}, {"/opt", 1},
    {"/srv", 1}, {"/mnt", 1},     {"/media", 1},     {"/", 1},     {"/sys/kernel", 1}};

/// Logs, mail and jobs: of no use to a check, and readable to root by the file.
constexpr const char* kAlwaysHiddenFromRoot[] = {"/var/log", "/var/spool", "/var/backups",
                                                 "/var/mail"};

bool is_real_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

void hide_folder(const fs::path& path, HiddenPlaces* hidden) {
  if (path.empty() || path == "/" || !is_real_folder(path)) return;
  if (hidden->above(path) == nullptr) hidden->folders.push_back(path);
}

bool others_may(const fs::path& path, mode_t bits) {
  struct stat status {};
  return lstat(path.c_str(), &status) != 0 || (status.st_mode & bits) == bits;
}

void hide_private_entries(const fs::path& folder, int depth, HiddenPlaces* hidden) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (hidden->folders.size() + hidden->files.size() >= kMostHidden) return;
    std::error_code ignored;
    fs::file_status status = entry.symlink_status(ignored);
    const fs::path& path = entry.path();
    if (fs::is_directory(status)) {
      if (hidden->above(path) != nullptr) continue;
      if (!others_may(path, S_IROTH | S_IXOTH)) {
        hide_folder(path, hidden);
      } else if (depth > 1) {
        hide_private_entries(path, depth - 1, hidden);
      }
    } else if (fs::is_regular_file(status) && !others_may(path, S_IROTH)) {
      hidden->files.push_back(path);
    }
  }
}

bool belongs_to_a_process(const fs::path& path) {
  std::string name = path.filename();
  return name.find_first_not_of("0123456789") == std::string::npos || name == "self" ||
         name == "thread-self";
}

/// The owner's permissions hold without any capability, and the owner is root.
void protect_proc(HiddenPlaces* hidden) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    std::error_code ignored;
    fs::file_status status = entry.symlink_status(ignored);
    const fs::path& path = entry.path();
    if (fs::is_symlink(status) || belongs_to_a_process(path)) continue;
    if (fs::is_directory(status)) {
      hidden->settings.push_back(path);
    } else if (!others_may(path, S_IROTH)) {
      hidden->files.push_back(path);
    } else if ((status.permissions() & fs::perms::owner_write) != fs::perms::none) {
      hidden->settings.push_back(path);
    }
  }
}

}  // namespace

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

const fs::path* HiddenPlaces::above(const fs::path& path) const {
  for (const auto* list : {&scratch, &folders}) {
    for (const fs::path& folder : *list) {
      if (is_within(path, folder)) return &folder;
    }
  }
  return nullptr;
}

HiddenPlaces find_hidden_places() {
  HiddenPlaces hidden;
  for (const char* path : {"/tmp", "/var/tmp", "/dev/shm"}) {
    if (is_real_folder(path)) hidden.scratch.emplace_back(path);
  }
  for (const char* path : {"/run", "/home", "/root"}) hide_folder(path, &hidden);
  std::error_code ignored;
  if (const char* home = std::getenv("HOME")) hide_folder(fs::canonical(home, ignored), &hidden);
  if (geteuid() != 0) return hidden;
  protect_proc(&hidden);
  for (const char* path : kAlwaysHiddenFromRoot) hide_folder(path, &hidden);
  for (const SearchedFolder& searched : kSearched) {
    if (is_real_folder(searched.path)) {
      hide_private_entries(searched.path, searched.depth, &hidden);
    }
  }
  return hidden;
}

const std::vector<fs::path>& secrets_of_a_home() {
  static const std::vector<fs::path> names{".ssh",
                                           ".gnupg",
                                           ".aws",
                                           ".azure",
                                           ".config/gh",
                                           ".config/gcloud",
                                           ".docker",
                                           ".kube",
                                           ".netrc",
                                           ".git-credentials",
                                           ".npmrc",
                                           ".pypirc",
                                           ".huggingface",
                                           ".config/hub",
                                           ".pgpass",
                                           ".bash_history",
                                           ".config/git",
                                           ".local/share/keyrings",
                                           ".python_history",
                                           ".cache/huggingface/token"};
  return names;
}

}  // namespace suture
