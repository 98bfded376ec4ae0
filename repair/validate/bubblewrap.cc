#include "repair/validate/bubblewrap.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <system_error>

#include "repair/base/text.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// What a check may write in a place that is hidden but not meant for writing.
constexpr const char* kHiddenBytes = "16777216";

using Line = std::vector<std::string>;

void add(Line* line, std::initializer_list<std::string> words) { line->insert(line->end(), words); }

void add_empty_folder(Line* line, const fs::path& path, const char* mode, const std::string& size) {
  add(line, {"--perms", mode, "--size", size, "--tmpfs", path.string()});
}

std::string find_on_own_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    std::string candidate = folder + "/" + name;
    if (folder.starts_with('/') && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace

Result<Bubblewrap> Bubblewrap::find(fs::path tree, const SandboxPolicy& policy) {
  std::string program = find_on_own_path("bwrap");
  if (program.empty()) {
    return fail(ErrorKind::kInfra, "bubblewrap is not installed",
                "apt-get install bubblewrap, or run with --no-sandbox");
  }
  return Bubblewrap(std::move(program), std::move(tree), policy.tmp_bytes);
}

void Bubblewrap::add_name_spaces(NestedUsers nested, Line* line) const {
  add(line, {"--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"});
  add(line, {"--cap-drop", "ALL", "--die-with-parent", "--new-session"});
  if (nested == NestedUsers::kForbidden) add(line, {"--disable-userns"});
  // A name that /etc/hosts knows: torch.distributed and others look up their own host.
  add(line, {"--hostname", "localhost"});
}

void Bubblewrap::add_system(Line* line) const {
  add(line, {"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"});
  for (const fs::path& path : hidden_.settings) {
    add(line, {"--ro-bind-try", path.string(), path.string()});
  }
  for (const fs::path& path : hidden_.scratch) {
    add_empty_folder(line, path, "1777", std::to_string(tmp_bytes_));
  }
  for (const fs::path& path : hidden_.folders) add_empty_folder(line, path, "0755", kHiddenBytes);
  for (const fs::path& path : hidden_.files) {
    add(line, {"--ro-bind-try", "/dev/null", path.string()});
  }
}

/// Only what is hidden must be shown again; never a hidden place as a whole, nor what it lies in.
bool Bubblewrap::is_hidden_part(const fs::path& path) const {
  const fs::path* hidden = hidden_.above(path);
  return hidden != nullptr && path != *hidden;
}

void Bubblewrap::add_readable(const fs::path& path, Line* line) const {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error) return;
  for (const fs::path& shown : {real, path.lexically_normal()}) {
    if (is_hidden_part(shown)) add(line, {"--ro-bind", real.string(), shown.string()});
    if (real == path) break;
  }
}

/// Shown under the path that the user gave as well, where the links in it are hidden.
void Bubblewrap::add_tree(const fs::path& source, Line* line) const {
  std::error_code error;
  fs::path real = fs::canonical(tree_, error);
  if (error) real = tree_;
  add(line, {"--bind", source.string(), real.string()});
  if (real != tree_ && hidden_.above(tree_) != nullptr) {
    add(line, {"--bind", source.string(), tree_.string()});
  }
}

/// The tree or a readable path may be a home folder, or lie above its secrets.
void Bubblewrap::add_secrets(const Inside& inside, Line* line) const {
  auto shows = [&](const fs::path& secret) {
    auto shows_it = [&](const fs::path& path) {
      return is_within(secret, path) && is_hidden_part(path);
    };
    return is_within(secret, tree_) ||
           std::any_of(inside.readable.begin(), inside.readable.end(), shows_it);
  };
  for (const fs::path& home : hidden_.folders) {
    for (const fs::path& name : secrets_of_a_home()) {
      fs::path secret = home / name;
      std::error_code ignored;
      if (!shows(secret) || !fs::exists(secret, ignored)) continue;
      if (fs::is_directory(secret, ignored)) {
        add_empty_folder(line, secret, "0755", kHiddenBytes);
      } else {
        add(line, {"--ro-bind", "/dev/null", secret.string()});
      }
    }
  }
}

Line Bubblewrap::command_line(const Inside& inside, NestedUsers nested) const {
  Line line{program_};
  add_name_spaces(nested, &line);
  add_system(&line);
  // Outer folders first, or they would cover the inner ones.
  std::vector<fs::path> readable = inside.readable;
  std::sort(readable.begin(), readable.end());
  readable.erase(std::unique(readable.begin(), readable.end()), readable.end());
  for (const fs::path& path : readable) add_readable(path, &line);
  add_tree(inside.tree_source, &line);
  for (const Mount& mount : inside.mounts) {
    const char* kind = mount.access == Mount::Access::kWrite ? "--bind" : "--ro-bind";
    add(&line, {kind, mount.host, mount.inside});
  }
  add_secrets(inside, &line);
  add(&line, {"--clearenv"});
  for (const auto& [name, value] : inside.env) add(&line, {"--setenv", name, value});
  if (auto home = inside.env.find("HOME"); home != inside.env.end()) {
    add(&line, {"--dir", home->second});
  }
  add(&line, {"--chdir", tree_.string(), "--"});
  line.insert(line.end(), inside.command.begin(), inside.command.end());
  return line;
}

}  // namespace suture
