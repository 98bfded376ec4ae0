#include "repair/vcs/diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "repair/vcs/git.h"

namespace suture {
namespace {

/// One side of a change as libgit2 wants it: a null pointer means that there is no such file.
struct Side {
  explicit Side(const std::optional<std::string>& content)
      : data(content ? content->data() : nullptr), size(content ? content->size() : 0) {}
  const char* data;
  std::size_t size;
};

git_diff_options byte_exact_options() {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags =
      GIT_DIFF_FORCE_TEXT;  // a NUL byte in a source must not turn it into "Binary files differ"
  return options;
}

Result<std::string> diff_of(const FileChange& change) {
  git_diff_options options = byte_exact_options();
  Side before(change.before);
  Side after(change.after);
  auto patch = git::made_by<git::Patch>(git_patch_from_buffers, before.data, before.size,
                                        change.path.c_str(), after.data, after.size,
                                        change.path.c_str(), &options);
  git_buf buffer = GIT_BUF_INIT;
  if (!patch || git_patch_to_buf(&buffer, patch.get()) != 0) {
    return fail(ErrorKind::kInternal,
                fmt::format("cannot make a diff of {}: {}", change.path, git::last_error()));
  }
  std::string text(buffer.ptr, buffer.size);
  git_buf_dispose(&buffer);
  return text;
}

/// libgit2 takes every buffer for a plain file. Without the true mode in the index line `git apply`
/// warns about the difference.
void name_mode(std::string& diff, FileChange::Mode mode) {
  if (mode == FileChange::Mode::kPlain) return;
  constexpr std::string_view plain = " 100644\n";
  std::size_t at = diff.find(plain);
  std::size_t hunks = diff.find("\n--- ");
  if (at < hunks) diff.replace(at, plain.size(), " 100755\n");
}

/// Collects the lines of a parsed diff; libgit2 calls it for each file, hunk and line in order.
struct Collector {
  std::vector<LineChange> changes;
  std::string path;
  int next_old_line = 1;  ///< the old line that comes next
  bool in_run = false;    ///< whether the last line seen was a removed or added one

  LineChange& run() {
    if (!in_run) changes.push_back({path, next_old_line, {}, {}});
    in_run = true;
    return changes.back();
  }

  static int on_file(const git_diff_delta* delta, float, void* self) {
    auto& collector = *static_cast<Collector*>(self);
    const char* path =
        delta->new_file.path != nullptr ? delta->new_file.path : delta->old_file.path;
    collector.path = path != nullptr ? path : "";
    collector.in_run = false;
    return 0;
  }

  static int on_hunk(const git_diff_delta*, const git_diff_hunk* hunk, void* self) {
    auto& collector = *static_cast<Collector*>(self);
    // A hunk without old lines names the line before it ("-0,0", "-7,0").
    collector.next_old_line = hunk->old_lines == 0 ? hunk->old_start + 1 : hunk->old_start;
    collector.in_run = false;
    return 0;
  }

  static int on_line(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line,
                     void* self) {
    auto& collector = *static_cast<Collector*>(self);
    std::string text(line->content, line->content_len);
    switch (line->origin) {
      case GIT_DIFF_LINE_DELETION:
        collector.run().removed.push_back(std::move(text));
        ++collector.next_old_line;
        break;
      case GIT_DIFF_LINE_ADDITION:
        collector.run().added.push_back(std::move(text));
        break;
      case GIT_DIFF_LINE_CONTEXT:
        ++collector.next_old_line;
        collector.in_run = false;
        break;
      // The marker `\ No newline at end of file`: libgit2 counts the line end into the line before
      // it.
      case GIT_DIFF_LINE_DEL_EOFNL:
        drop_line_end(collector.changes.back().removed);
        break;
      case GIT_DIFF_LINE_ADD_EOFNL:
        drop_line_end(collector.changes.back().added);
        break;
      default:
        break;
    }
    return 0;
  }

  static void drop_line_end(std::vector<std::string>& lines) {
    if (!lines.empty() && lines.back().ends_with('\n')) lines.back().pop_back();
  }
};

}  // namespace

Result<std::string> unified_diff(std::vector<FileChange> changes) {
  git::set_up();
  std::ranges::sort(changes, {}, &FileChange::path);
  std::string all;
  for (const FileChange& change : changes) {
    if (change.before == change.after) continue;
    TRY(std::string diff, diff_of(change));
    name_mode(diff, change.mode);
    all += diff;
  }
  return all;
}

Result<std::vector<LineChange>> line_changes(std::string_view text) {
  git::set_up();
  if (text.empty()) return std::vector<LineChange>{};
  auto diff = git::made_by<git::Diff>(git_diff_from_buffer, text.data(), text.size());
  Collector collector;
  if (!diff || git_diff_foreach(diff.get(), Collector::on_file, nullptr, Collector::on_hunk,
                                Collector::on_line, &collector) != 0) {
    return fail(ErrorKind::kBadInput, fmt::format("not a unified diff: {}", git::last_error()));
  }
  return std::move(collector.changes);
}

}  // namespace suture
