#include "repair/edited_code.h"

#include <algorithm>

#include "repair/base/text.h"

namespace suture {
namespace {

/// The function that an edit changes; null outside functions.
Node function_of(const SourceFile& file, const Edit& edit) {
  Node node = file.node_at(edit.range);
  return node.is({"function_definition"}) ? node : enclosing_function(node);
}

EditedPlace place_of(const SourceFile& file, const Edit& edit) {
  EditedPlace place;
  place.file = file.path();
  Node function = function_of(file, edit);
  if (!function) return place;
  Node body = function.field("body");
  place.first_line = body.line();
  place.last_line = body.end_line();
  place.names = split(qualified_name(function), '.');
  return place;
}

bool reaches(const Evidence& evidence, const EditedPlace& place) {
  auto at = evidence.executed.find(place.file);
  if (at == evidence.executed.end()) return false;
  if (!place.in_function()) return !at->second.empty();
  auto line = at->second.lower_bound(place.first_line);
  return line != at->second.end() && *line <= place.last_line;
}

}  // namespace

std::vector<EditedPlace> edited_places(const Candidate& candidate, SourceTree& tree) {
  std::vector<EditedPlace> places;
  for (const auto& [path, edits] : candidate.edits) {
    const SourceFile* file = tree.source(path);
    if (file == nullptr) continue;
    for (const Edit& edit : edits) places.push_back(place_of(*file, edit));
  }
  if (std::ranges::any_of(places, &EditedPlace::in_function))
    std::erase_if(places, [](const EditedPlace& place) { return !place.in_function(); });
  return places;
}

bool reaches(const Evidence& evidence, const std::vector<EditedPlace>& places) {
  return std::ranges::any_of(places,
                             [&](const EditedPlace& place) { return reaches(evidence, place); });
}

}  // namespace suture
