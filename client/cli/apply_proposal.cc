#include "client/cli/apply_proposal.h"

#include <unistd.h>

#include <system_error>

#include "repair/base/file.h"
#include "repair/vcs/apply.h"
#include "repair/vcs/diff.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// The change from what the file is now.
Result<FileChange> change_from_now(const fs::path& tree, const std::string& path,
                                   const std::string& after) {
  FileChange change{path, std::nullopt, after};
  std::error_code ec;
  fs::path file = tree / path;
  if (!fs::exists(file, ec)) return change;
  TRY(change.before, read_file(file));
  if (access(file.c_str(), X_OK) == 0 &&
      (fs::status(file, ec).permissions() & fs::perms::owner_exec) != fs::perms::none) {
    change.mode = FileChange::Mode::kExecutable;
  }
  return change;
}

/// Whether the changes start from what the proposal started from. New contents are equal, so equal
/// changed lines mean equal old contents.
bool same_start(const std::vector<FileChange>& changes, const Proposal& proposal) {
  auto now = unified_diff(changes);
  if (!now) return false;
  auto lines_now = line_changes(*now);
  auto lines_then = line_changes(proposal.diff);
  return lines_now && lines_then && *lines_now == *lines_then;
}

}  // namespace

Result<std::vector<std::string>> apply_proposal(const fs::path& tree, const Proposal& proposal) {
  std::vector<FileChange> changes;
  std::vector<std::string> paths;
  for (const auto& [path, after] : proposal.candidate.files) {
    TRY(FileChange change, change_from_now(tree, path, after));
    changes.push_back(std::move(change));
    paths.push_back(path);
  }
  if (!same_start(changes, proposal)) {
    return fail(
        ErrorKind::kBadInput,
        "the patch was not applied: a file that it changes was edited since the search started",
        "nothing was written; repair again");
  }
  TRY_STATUS(apply_changes(tree, changes));
  return paths;
}

}  // namespace suture
