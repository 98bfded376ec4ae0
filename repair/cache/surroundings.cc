#include "repair/cache/surroundings.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <vector>

#include "repair/base/digest.h"
#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/cache/field_digest.h"
#include "repair/cache/tree_state.h"
#include "repair/validate/hidden_places.h"
#include "repair/validate/needed_paths.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostHelpers = 200;
constexpr std::size_t kLargestScript = 4 << 20;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// The existing absolute paths that a text names.
std::vector<fs::path> paths_in(std::string_view text) {
  std::vector<fs::path> paths;
  constexpr std::string_view kEnds = " \t\r\n'\"=;|&<>():,[]{}`";
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find_first_of(kEnds, at), text.size());
    std::string_view word = text.substr(at, end - at);
    std::error_code ignored;
    bool absolute = word.size() > 1 && word.front() == '/';
    if (absolute && fs::exists(word, ignored)) paths.push_back(fs::path(word).lexically_normal());
    at = end + 1;
  }
  return paths;
}

/// What is installed in folders of packages: names of distributions carry versions; times tell of
/// those that were installed anew.
class Installations {
 public:
  explicit Installations(FieldDigest& digest) : digest_(digest) {}

  /// A folder with "lib/python3.x/site-packages" and the like below it, or any other one: then
  /// nothing is added.
  void environment(const fs::path& prefix) {
    if (!seen_.insert(prefix).second) return;
    digest_.add(prefix.string()).add(file_stamp(prefix / "pyvenv.cfg"));
    std::error_code error;
    for (const fs::path& lib : {prefix / "lib", prefix / "local" / "lib", prefix}) {
      for (const fs::path& python : entries_of(lib)) {
        if (!python.filename().string().starts_with("python3")) continue;
        packages(python / "site-packages");
        packages(python / "dist-packages");
      }
    }
  }

  void packages(const fs::path& folder) {
    if (!is_folder(folder) || !seen_.insert(folder).second) return;
    digest_.add(folder.string());
    for (const fs::path& entry : entries_of(folder)) {
      std::string name = entry.filename().string();
      if (name == "__pycache__") continue;
      digest_.add(name);
      if (name.ends_with(".dist-info")) {
        digest_.add(file_stamp(entry / "RECORD")).add(file_stamp(entry / "METADATA"));
      } else if (name.ends_with(".egg-info")) {
        digest_.add(file_stamp(entry / "PKG-INFO"));
      } else if (is_file(entry)) {
        digest_.add(file_stamp(entry));
        if (name.ends_with(".pth") || name.starts_with("__editable__")) linked(entry);
      }
    }
  }

 private:
  /// Folders of editable installations: their sources may change from run to run.
  void linked(const fs::path& file) {
    Result<std::string> text = read_file(file, kLargestScript);
    if (!text) return;
    for (const fs::path& path : paths_in(*text)) {
      if (is_folder(path) && seen_.insert(path).second)
        digest_.add(path.string()).add(tree_stamps(path));
    }
  }

  FieldDigest& digest_;
  std::set<fs::path> seen_;
};

void add_program(FieldDigest& digest, const fs::path& program) {
  std::error_code ignored;
  fs::path real = fs::canonical(program, ignored);
  digest.add(program.string()).add(real.string()).add(file_stamp(program));
}

void add_machine(FieldDigest& digest) {
  utsname system{};
  uname(&system);
  digest.add(system.machine);
  if (auto processors = read_file("/proc/cpuinfo")) {
    std::size_t at = processors->find("model name");
    if (at != std::string::npos)
      digest.add(processors->substr(at, processors->find('\n', at) - at));
  }
  for (const fs::path& device : entries_of("/dev")) {
    if (device.filename().string().starts_with("nvidia")) digest.add(device.string());
  }
}

void add_suture(FieldDigest& digest, std::string_view version) {
  digest.add(version).add(file_stamp("/proc/self/exe"));
  for (const char* guest : {"probe", "warm"}) digest.add(tree_state(share_folder(guest)).contents);
}

/// The files outside the tree that a check is made of.
class CheckFiles {
 public:
  CheckFiles(FieldDigest& digest, const fs::path& tree) : digest_(digest), tree_(tree) {}

  void word(const std::string& text) {
    for (const fs::path& path : paths_in(text)) add(path);
    // "../helpers/check.py"; what is relative and below the tree is part of it.
    std::error_code error;
    if (text.find("..") != std::string::npos && fs::exists(tree_ / text, error))
      add((tree_ / text).lexically_normal());
  }

 private:
  void add(const fs::path& path) {
    if (is_within(path, tree_) || !seen_.insert(path).second) return;
    if (is_folder(path)) {
      digest_.add(path.string()).add(tree_stamps(path));
    } else if (Result<std::string> text = read_file(path, kLargestScript);
               text && !looks_binary(*text)) {
      digest_.add(path.string()).add(sha256(*text));
      helpers(path, *text);
    } else {
      add_program(digest_, path);
    }
  }

  /// What lies beside a script under a name that it mentions: it may import or read it.
  void helpers(const fs::path& script, std::string_view text) {
    std::error_code error;
    for (const fs::path& entry : entries_of(script.parent_path())) {
      std::string stem = entry.stem().string();
      bool needed = stem == "conftest" || entry.extension() == ".ini" ||
                    entry.extension() == ".toml" || mentions_word(text, stem) ||
                    text.find(entry.filename().string()) != std::string_view::npos;
      if (needed && stem != "__pycache__" && seen_.size() < kMostHelpers) add(entry);
    }
  }

  FieldDigest& digest_;
  const fs::path& tree_;
  std::set<fs::path> seen_;
};

void add_python_path(FieldDigest& digest, const std::map<std::string, std::string>& environment,
                     const fs::path& tree) {
  auto set = environment.find("PYTHONPATH");
  if (set == environment.end()) return;
  for (const fs::path& folder : python_paths(set->second)) {
    if (!is_within(folder, tree)) digest.add(folder.string()).add(tree_stamps(folder));
  }
}

void add_variables(FieldDigest& digest, const std::map<std::string, std::string>& variables) {
  digest.add(std::to_string(variables.size()));
  for (const auto& [name, value] : variables) digest.add(name).add(value);
}

}  // namespace

std::string digest_of_surroundings(const LocalExecutorOptions& options, const fs::path& interpreter,
                                   std::string_view version) {
  FieldDigest digest;
  add_suture(digest, version);
  add_machine(digest);
  add_variables(digest, options.environment);
  const ProcessLimits& limits = options.policy.limits;
  digest.add(fmt::format("{} {} {} {} {}", limits.memory_bytes, limits.processes, limits.file_bytes,
                         limits.cpu.count(), options.policy.tmp_bytes));
  for (const Weakening& weakening : options.policy.weakenings) digest.add(weakening.reason);
  add_program(digest, interpreter);
  Installations installations(digest);
  installations.environment(interpreter.parent_path().parent_path());
  for (const fs::path& prefix : environment_paths(options.environment))
    installations.environment(prefix);
  add_python_path(digest, options.environment, options.tree);
  for (const std::string& folder : options.visible) {
    digest.add(folder);
    if (!is_within(folder, options.tree)) digest.add(tree_stamps(folder));
  }
  return digest.hex();
}

std::string digest_of_check(const Check& check, const fs::path& tree) {
  FieldDigest digest;
  digest.add(std::to_string(check.command.size()));
  for (const std::string& word : check.command) digest.add(word);
  add_variables(digest, check.env);
  CheckFiles files(digest, tree);
  for (const std::string& word : check.command) files.word(word);
  add_python_path(digest, check.env, tree);
  // A check may name an interpreter of its own by path.
  Installations installations(digest);
  for (const fs::path& path : command_paths(check)) {
    if (!is_within(path, tree)) installations.environment(path);
  }
  return digest.hex();
}

}  // namespace suture
