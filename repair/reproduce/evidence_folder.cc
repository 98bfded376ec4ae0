#include "repair/reproduce/evidence_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "repair/base/file.h"

namespace suture {
namespace {
namespace fs = std::filesystem;

constexpr int kMaxProcesses = 32;
constexpr std::size_t kMaxBytes = 16 << 20;  // parse_evidence says what is too large

/// Reads a file that the check could have replaced by a link or a pipe.
Result<Evidence> read_one(const fs::path& path) {
  std::error_code ec;
  if (fs::symlink_status(path, ec).type() != fs::file_type::regular) {
    return fail(ErrorKind::kInfra, "the probe wrote nothing");
  }
  TRY(std::string text, read_file(path, kMaxBytes));
  if (text.empty()) return fail(ErrorKind::kInfra, "the probe was stopped before it could write");
  return parse_evidence(text);
}

/// A worker's exception ends in the library that started it; what the process itself ends with is
/// at best a failing exit.
void promote_escaped(Evidence& evidence) {
  const LiveException* failure = evidence.failure();
  bool only_exit = failure != nullptr && failure->type == "SystemExit" &&
                   evidence.deepest_tree_frame() == nullptr;
  if (failure != nullptr && !only_exit) return;
  auto at = std::find_if(evidence.swallowed.rbegin(), evidence.swallowed.rend(),
                         [](const LiveException& e) { return e.escaped; });
  if (at == evidence.swallowed.rend()) return;
  evidence.exceptions = {*at};
  evidence.swallowed.erase(std::next(at).base());
}

bool is_telling(const Evidence& evidence) {
  if (evidence.failure() == nullptr) return false;
  return evidence.deepest_tree_frame() != nullptr ||
         std::any_of(evidence.called.begin(), evidence.called.end(),
                     [](const CalledFunction& c) { return !c.during_import; });
}

}  // namespace

Result<Evidence> read_evidence_folder(const fs::path& folder, bool red) {
  Result<Evidence> best = fail(ErrorKind::kInfra, "the probe did not run");
  std::vector<RanTest> tests;  // of the process that ran them, whichever tells the most
  for (int number = 0; number < kMaxProcesses; ++number) {
    std::string name = number == 0 ? kEvidenceFile : fmt::format("{}.{}", kEvidenceFile, number);
    Result<Evidence> one = read_one(folder / name);
    if (!one) {
      if (number == 0) best = std::move(one);
      continue;
    }
    if (red) promote_escaped(*one);
    if (tests.empty()) tests = one->tests;
    if (!best || (best->failure() == nullptr && one->failure() != nullptr)) {
      best = std::move(one);
    } else if (!is_telling(*best) && is_telling(*one)) {
      best = std::move(one);
    }
    if (is_telling(*best)) break;
  }
  if (best) best->tests = std::move(tests);
  return best;
}

void move_paths(Evidence& evidence, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return;
  auto move = [&](std::string& path) {
    bool below = path.starts_with(from) && path.size() > from.size() && path[from.size()] == '/';
    if (below) path = to + path.substr(from.size());
  };
  for (std::string& file : evidence.check_files) move(file);
  for (auto* list : {&evidence.exceptions, &evidence.swallowed}) {
    for (LiveException& exception : *list) {
      for (LiveFrame& frame : exception.frames) move(frame.file);
    }
  }
  for (CalledFunction& called : evidence.called) move(called.caller_file);
}

}  // namespace suture
