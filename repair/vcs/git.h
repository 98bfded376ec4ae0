#pragma once

#include <git2.h>

#include <memory>
#include <string_view>

#include "repair/base/result.h"

/// libgit2's handles as owning pointers. For the .cc files of repair/vcs only: libgit2's names do
/// not leave this layer.
namespace suture::git {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* handle) const {
    Free(handle);
  }
};

template <class T, auto Free>
using Handle = std::unique_ptr<T, Deleter<Free>>;

using Repository = Handle<git_repository, git_repository_free>;
using Patch = Handle<git_patch, git_patch_free>;
using Diff = Handle<git_diff, git_diff_free>;
using Object = Handle<git_object, git_object_free>;
using Tree = Handle<git_tree, git_tree_free>;
using Odb = Handle<git_odb, git_odb_free>;
using Remote = Handle<git_remote, git_remote_free>;

/// Calls one of libgit2's makers, `int make(T** out, args...)`, and owns what it made. Null when it
/// failed; last_error() then says why.
template <class Owner, class Make, class... Args>
Owner made_by(Make make, Args... args) {
  typename Owner::pointer made = nullptr;
  if (make(&made, args...) != 0) made = nullptr;
  return Owner(made);
}

/// Sets libgit2 up on the first call: repositories of other users are opened too (suture only reads
/// them), and so are partial clones, whose extension libgit2 does not know by itself.
void set_up();

/// The reason of libgit2's last failure in this thread.
std::string_view last_error();

}  // namespace suture::git
