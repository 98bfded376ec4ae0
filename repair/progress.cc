#include "repair/progress.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace suture {
namespace {

/// An edit may add lines: an error so close below it is an error of the edit.
constexpr int kOwnLines = 5;

/// Where a failure is, as far as it can be compared with another.
struct Place {
  int check_line = 0;    ///< of the check's own file; 0 when the check is not on the stack
  std::string file;      ///< of the innermost frame in the tree, relative
  std::string function;  ///< of that frame
  int line = 0;
};

/// The outermost frame of the check's own file; where the check is a script of the tree, of that.
const LiveFrame* check_frame(const LiveException& failure) {
  auto found = std::ranges::find_if(failure.frames, [](auto& frame) { return frame.in_check; });
  if (found == failure.frames.end())
    found = std::ranges::find_if(failure.frames, [](auto& frame) { return frame.in_tree; });
  return found == failure.frames.end() ? nullptr : &*found;
}

Place place_of(const LiveException& failure, const LiveFrame& check) {
  Place place;
  place.check_line = check.at.line;
  for (const LiveFrame& frame : failure.frames) {
    if (frame.in_tree && frame.file != check.file) {
      place.file = frame.file;
      place.function = frame.function;
      place.line = frame.at.line;
    }
  }
  return place;
}

Place place_of(const ExceptionRecord& failure, const std::string& check_file,
               const std::string& tree) {
  Place place;
  for (const Frame& frame : failure.frames) {
    if (frame.file == check_file) {
      if (place.check_line == 0) place.check_line = frame.line;
    } else if (frame.file.starts_with(tree + "/")) {
      place.file = frame.file.substr(tree.size() + 1);
      place.function = frame.function;
      place.line = frame.line;
    }
  }
  return place;
}

bool is_in_edit(const Place& place, const Candidate& candidate) {
  const Location& edited = candidate.location;
  return place.file == edited.file && edited.line <= place.line &&
         place.line <= std::max(edited.line, edited.end_line) + kOwnLines;
}

}  // namespace

std::vector<Progress> progress_made(const Evidence& base, const std::vector<Candidate>& candidates,
                                    std::span<const Trial> trials, std::size_t most) {
  const LiveException* failure = base.failure();
  const LiveFrame* check = failure == nullptr ? nullptr : check_frame(*failure);
  if (check == nullptr) return {};
  Place before = place_of(*failure, *check);
  std::string check_file = check->in_tree ? base.tree + "/" + check->file : check->file;
  std::map<std::tuple<std::string, std::string, int, std::string>, std::size_t> ways;
  std::vector<Progress> found;
  for (const Trial& trial : trials) {
    if (!trial.failure || !is_red(trial.verdict)) continue;
    auto candidate = std::ranges::find(candidates, trial.candidate, &Candidate::id);
    if (candidate == candidates.end() || candidate->silencing != Silencing::kNo) continue;
    Place now = place_of(*trial.failure, check_file, base.tree);
    int further = now.check_line - before.check_line;
    if (now.check_line == 0 || further < 0) continue;
    if (further == 0) {
      bool same_function = now.file == before.file && now.function == before.function;
      bool same_error = trial.failure->message == failure->message;
      if (same_function || same_error || is_in_edit(now, *candidate)) continue;
    }
    std::tuple way(trial.failure->type, trial.failure->message, now.check_line, now.function);
    if (ways.try_emplace(way, found.size()).second)
      found.push_back({std::size_t(candidate - candidates.begin()), further, *trial.failure});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Progress::further);
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace suture
