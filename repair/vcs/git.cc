#include "repair/vcs/git.h"

namespace suture::git {
namespace {

struct Library {
  Library() {
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    const char* extensions[] = {"partialclone", "worktreeconfig", "preciousobjects"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, std::size(extensions));
  }
};

}  // namespace

void set_up() {
  // Never shut down: handles may outlive static destruction, and the process ends anyway.
  static const Library library;
}

std::string_view last_error() {
  const git_error* error = git_error_last();
  return error != nullptr && error->message != nullptr ? error->message : "unknown reason";
}

}  // namespace suture::git
