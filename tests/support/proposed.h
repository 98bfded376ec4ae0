#pragma once

#include <map>
#include <string>
#include <vector>

#include "repair/base/file.h"
#include "repair/propose/propose.h"

namespace suture {

/// What a pattern of the catalogue (its path below patterns/) makes of a file whose every line is
/// as suspicious as the others: the edited texts of that file, most plausible match first.
inline std::vector<std::string> proposed(const std::string& pattern,
                                         std::map<std::string, std::string> files,
                                         const std::string& path, const Evidence& evidence = {}) {
  auto text = read_file(SUTURE_SOURCE_DIR "/patterns/" + pattern);
  auto loaded = load_pattern(*text, pattern);
  auto tree = SourceTree::in_memory(std::move(files));
  std::vector<Location> places;
  int lines = tree->source(path)->root().end_line();
  for (int line = 1; line <= lines; ++line) {
    Location& place = places.emplace_back();
    place.file = path;
    place.line = place.end_line = line;
    place.suspiciousness = 0.5;
    place.roles = {Role::kExecuted};
  }
  SuspicionMap suspicion(std::move(places));
  Failure failure;
  failure.kind = FailureKind::kException;
  NothingInstalled installed;
  ProposeInput input{failure, evidence, *tree, installed, suspicion, ""};
  std::vector<std::string> texts;
  for (Candidate& candidate : propose(input, Catalogue::of({*loaded}))) {
    if (materialise(candidate, *tree)) texts.push_back(candidate.files.at(path));
  }
  return texts;
}

}  // namespace suture
