#include "repair/vcs/checkout.h"

#include <fmt/format.h>

#include <algorithm>

#include "repair/vcs/git.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// Null when the folder belongs to no repository.
Result<git::Repository> open_repository(const fs::path& folder) {
  git::set_up();
  git_repository* opened = nullptr;
  int code = git_repository_open_ext(&opened, folder.c_str(), 0, nullptr);
  git::Repository repository(opened);
  if (code == GIT_ENOTFOUND) return git::Repository();
  if (code != 0) {
    return fail(ErrorKind::kInfra, fmt::format("cannot read the git repository of {}: {}",
                                               folder.string(), git::last_error()));
  }
  return repository;
}

fs::path without_final_slash(const char* path) {
  fs::path result = path;
  return result.has_filename() ? result : result.parent_path();
}

/// A mirror without a config file does not say that it is bare; libgit2 then takes the folder
/// around it for a work tree. Whoever points into the repository's own folder means a bare one.
bool is_bare(git_repository* repository, const fs::path& folder) {
  if (git_repository_is_bare(repository) != 0) return true;
  std::error_code ec;
  fs::path own = fs::weakly_canonical(git_repository_path(repository), ec);
  fs::path relative =
      fs::weakly_canonical(folder, ec).lexically_relative(without_final_slash(own.c_str()));
  return !relative.empty() && *relative.begin() != "..";
}

std::string full_id(const git_oid* id) {
  char text[GIT_OID_HEXSZ + 1];
  git_oid_tostr(text, sizeof text, id);
  return text;
}

std::string head_of(git_repository* repository) {
  git_oid id;
  return git_reference_name_to_id(&id, repository, "HEAD") == 0 ? full_id(&id) : std::string();
}

/// "https://user:token@host/x" -> "https://host/x". What is no URL with a user in it stays.
std::string without_credentials(std::string url) {
  std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  std::size_t host = scheme + 3;
  std::size_t at = url.substr(0, url.find('/', host)).rfind('@');
  if (at != std::string::npos && at >= host) url.erase(host, at + 1 - host);
  return url;
}

std::string origin_of(git_repository* repository) {
  auto remote = git::made_by<git::Remote>(git_remote_lookup, repository, "origin");
  const char* url = remote ? git_remote_url(remote.get()) : nullptr;
  return url != nullptr ? without_credentials(url) : std::string();
}

/// The files of a tree, by whether the repository has their content.
struct Listing {
  git_odb* odb;
  std::vector<std::string> present, missing;

  static int on_entry(const char* folder, const git_tree_entry* entry, void* self) {
    auto& listing = *static_cast<Listing*>(self);
    if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB) return 0;
    bool there = git_odb_exists(listing.odb, git_tree_entry_id(entry)) != 0;
    (there ? listing.present : listing.missing)
        .push_back(std::string(folder) + git_tree_entry_name(entry));
    return 0;
  }
};

Status write_tree(git_repository* repository, const git::Object& tree, Listing& listing,
                  const fs::path& into) {
  std::string folder = into.string();
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_RECREATE_MISSING |
                              GIT_CHECKOUT_DONT_UPDATE_INDEX | GIT_CHECKOUT_NO_REFRESH |
                              GIT_CHECKOUT_DONT_WRITE_INDEX;
  options.target_directory = folder.c_str();
  std::vector<char*> paths;
  if (!listing.missing.empty()) {
    if (listing.present.empty()) return {};  // no paths would mean all paths
    for (std::string& path : listing.present) paths.push_back(path.data());
    options.checkout_strategy |= GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
    options.paths = {paths.data(), paths.size()};
  }
  if (git_checkout_tree(repository, tree.get(), &options) == 0) return {};
  return fail(ErrorKind::kInfra,
              fmt::format("cannot write the revision to {}: {}", folder, git::last_error()),
              "is there room in TMPDIR?");
}

}  // namespace

Result<std::optional<Checkout>> find_checkout(const fs::path& folder) {
  TRY(git::Repository repository, open_repository(folder));
  if (!repository) return std::nullopt;
  bool bare = is_bare(repository.get(), folder);
  const char* root =
      bare ? git_repository_path(repository.get()) : git_repository_workdir(repository.get());
  return Checkout{without_final_slash(root), head_of(repository.get()),
                  origin_of(repository.get())};
}

Result<WorkTree> work_tree_of(const Checkout& checkout) {
  TRY(git::Repository repository, open_repository(checkout.root));
  if (!repository || is_bare(repository.get(), checkout.root)) return WorkTree::kClean;
  auto head = git::made_by<git::Object>(git_revparse_single, repository.get(), "HEAD^{tree}");
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
  auto diff = git::made_by<git::Diff>(git_diff_tree_to_workdir_with_index, repository.get(),
                                      reinterpret_cast<git_tree*>(head.get()), &options);
  if (!diff)
    return fail(ErrorKind::kInfra,
                fmt::format("cannot compare the work tree: {}", git::last_error()));
  return git_diff_num_deltas(diff.get()) == 0 ? WorkTree::kClean : WorkTree::kDirty;
}

Result<Materialised> materialise(const fs::path& folder, std::string_view revision) {
  TRY(git::Repository repository, open_repository(folder));
  if (!repository) {
    return fail(ErrorKind::kNotFound, fmt::format("{} is not in a git repository", folder.string()),
                "a revision needs one");
  }
  auto named = git::made_by<git::Object>(git_revparse_single, repository.get(),
                                         std::string(revision).c_str());
  auto commit =
      named ? git::made_by<git::Object>(git_object_peel, named.get(), GIT_OBJECT_COMMIT) : nullptr;
  auto tree =
      commit ? git::made_by<git::Object>(git_object_peel, commit.get(), GIT_OBJECT_TREE) : nullptr;
  auto odb = git::made_by<git::Odb>(git_repository_odb, repository.get());
  if (!tree || !odb) {
    return fail(ErrorKind::kNotFound, fmt::format("no revision {} in {}: {}", revision,
                                                  folder.string(), git::last_error()));
  }
  Listing listing{odb.get(), {}, {}};
  if (git_tree_walk(reinterpret_cast<git_tree*>(tree.get()), GIT_TREEWALK_PRE, Listing::on_entry,
                    &listing) != 0) {
    return fail(ErrorKind::kInfra,
                fmt::format("cannot read revision {}: {}", revision, git::last_error()));
  }
  std::string id = full_id(git_object_id(commit.get()));
  // Checks see the path and print it: one revision, one path.
  TRY(TemporaryFolder into, TemporaryFolder::make("suture-revision-", id.substr(0, 12)));
  TRY_STATUS(write_tree(repository.get(), tree, listing, into.path()));
  return Materialised{std::move(into), std::move(id), std::move(listing.missing)};
}

}  // namespace suture
