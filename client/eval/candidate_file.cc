#include "client/eval/candidate_file.h"

#include <nlohmann/json.hpp>

#include "repair/base/file.h"

namespace suture {
namespace {

nlohmann::json to_json(const Candidate& candidate) {
  nlohmann::json edits = nlohmann::json::array();
  for (const auto& [path, file_edits] : candidate.edits) {
    for (const Edit& edit : file_edits) {
      edits.push_back({{"file", path},
                       {"start", edit.range.start},
                       {"end", edit.range.end},
                       {"text", edit.text}});
    }
  }
  return {{"id", candidate.id},
          {"pattern", candidate.pattern},
          {"rewrite", candidate.rewrite},
          {"file", candidate.location.file},
          {"line", candidate.location.line},
          {"score", candidate.score},
          {"silencing", to_string(candidate.silencing)},
          {"features", candidate.features},
          {"edits", std::move(edits)}};
}

}  // namespace

void CandidateFile::keep(const std::vector<Candidate>& ranked) {
  if (path_.empty()) return;
  std::string lines;
  for (const Candidate& candidate : ranked) {
    lines += to_json(candidate).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    lines += '\n';
  }
  (void)write_file_atomically(path_, lines);
}

}  // namespace suture
