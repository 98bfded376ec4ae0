#include "repair/validate/needed_paths.h"

#include <system_error>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// "<prefix>/lib/python3.11" and the like.
std::vector<fs::path> library_folders(const fs::path& prefix) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(prefix / "lib", error)) {
    if (entry.path().filename().string().starts_with("python3")) folders.push_back(entry.path());
  }
  return folders;
}

/// An editable installation is a line in a .pth file that names a folder.
void add_linked_folders(const fs::path& site_packages, std::vector<fs::path>* paths) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(site_packages, error)) {
    if (entry.path().extension() != ".pth") continue;
    Result<std::string> text = read_file(entry.path(), 1 << 20);
    if (!text) continue;
    for (std::string_view line : split_lines(*text)) {
      if (line.starts_with('/') && is_there(line)) paths->emplace_back(line);
    }
  }
}

/// The "home = /usr/bin" of a virtual environment; empty for none.
fs::path base_of_virtual_environment(const fs::path& prefix) {
  Result<std::string> settings = read_file(prefix / "pyvenv.cfg", 1 << 20);
  if (!settings) return {};
  for (std::string_view line : split_lines(*settings)) {
    auto equals = line.find('=');
    if (equals == line.npos || trim(line.substr(0, equals)) != "home") continue;
    return fs::path(trim(line.substr(equals + 1)));
  }
  return {};
}

bool is_environment(const fs::path& prefix) {
  if (is_there(prefix / "pyvenv.cfg")) return true;
  // ~/.local looks like one, but holds keyrings and much else besides.
  return prefix.filename() != ".local" && !library_folders(prefix).empty();
}

void add_program_folder(const fs::path& folder, std::vector<fs::path>* paths) {
  fs::path prefix = folder.parent_path();
  if (!is_environment(prefix)) {
    paths->push_back(folder);
    if (folder.filename() == "bin" && is_there(prefix / "lib")) paths->push_back(prefix / "lib");
  } else {
    paths->push_back(prefix);
  }
  for (const fs::path& library : library_folders(prefix)) {
    for (const char* name : {"site-packages", "dist-packages"}) {
      add_linked_folders(library / name, paths);
    }
  }
}

/// Follows what a Python in `folder` is a link to, and what its environment builds on.
void add_program_folder_and_origin(const fs::path& folder, std::vector<fs::path>* paths) {
  add_program_folder(folder, paths);
  fs::path base = base_of_virtual_environment(folder.parent_path());
  if (!base.empty()) add_program_folder(base, paths);
  for (const char* name : {"python3", "python"}) {
    std::error_code error;
    fs::path real = fs::canonical(folder / name, error);
    if (!error && real.parent_path() != folder) add_program_folder(real.parent_path(), paths);
  }
}

}  // namespace

std::vector<fs::path> environment_paths(const std::map<std::string, std::string>& environment) {
  std::vector<fs::path> paths;
  if (auto path = environment.find("PATH"); path != environment.end()) {
    for (const std::string& folder : split(path->second, ':')) {
      if (folder.starts_with('/') && is_there(folder))
        add_program_folder_and_origin(folder, &paths);
    }
  }
  return paths;
}

std::vector<fs::path> command_paths(const Check& check) {
  std::vector<fs::path> paths;
  for (const std::string& word : check.command) {
    if (!word.starts_with('/') || !is_there(word)) continue;
    fs::path path = fs::path(word).lexically_normal();
    paths.push_back(path);
    if (path.parent_path().filename() == "bin") {
      add_program_folder_and_origin(path.parent_path(), &paths);
    }
  }
  return paths;
}

std::vector<fs::path> python_paths(const std::string& python_path) {
  std::vector<fs::path> paths;
  for (const std::string& entry : split(python_path, ':')) {
    if (entry.starts_with('/') && is_there(entry)) paths.emplace_back(entry);
  }
  return paths;
}

}  // namespace suture
