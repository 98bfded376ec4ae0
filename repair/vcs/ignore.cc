#include "repair/vcs/ignore.h"

#include <fmt/format.h>

#include <system_error>

#include "repair/vcs/git.h"

namespace suture {
namespace fs = std::filesystem;

struct IgnoreRules::State {
  git::Repository repository;  ///< null: nothing is ignored
  std::string prefix;          ///< of the folder within the work tree, with its final slash
};

namespace {

bool ignored(git_repository* repository, const std::string& path) {
  int answer = 0;
  return git_ignore_path_is_ignored(&answer, repository, path.c_str()) == 0 && answer != 0;
}

}  // namespace

IgnoreRules::IgnoreRules(std::unique_ptr<State> state) : state_(std::move(state)) {}
IgnoreRules::IgnoreRules(IgnoreRules&&) noexcept = default;
IgnoreRules& IgnoreRules::operator=(IgnoreRules&&) noexcept = default;
IgnoreRules::~IgnoreRules() = default;

Result<IgnoreRules> IgnoreRules::of(const fs::path& folder) {
  git::set_up();
  auto state = std::make_unique<State>();
  git_repository* opened = nullptr;
  int code = git_repository_open_ext(&opened, folder.c_str(), 0, nullptr);
  git::Repository repository(opened);
  if (code != 0 && code != GIT_ENOTFOUND) {
    return fail(ErrorKind::kInfra, fmt::format("cannot read the git repository of {}: {}",
                                               folder.string(), git::last_error()));
  }
  const char* top = opened == nullptr ? nullptr : git_repository_workdir(opened);
  if (top == nullptr) return IgnoreRules(std::move(state));
  std::error_code ec;
  fs::path inside = fs::canonical(folder, ec).lexically_relative(fs::canonical(top, ec));
  if (ec || inside.empty() || *inside.begin() == "..") return IgnoreRules(std::move(state));
  if (inside != ".") {
    state->prefix = inside.generic_string() + "/";
    if (ignored(opened, state->prefix)) return IgnoreRules(std::move(state));
  }
  state->repository = std::move(repository);
  return IgnoreRules(std::move(state));
}

bool IgnoreRules::ignore(const std::string& path) const {
  return state_->repository != nullptr && ignored(state_->repository.get(), state_->prefix + path);
}

}  // namespace suture
