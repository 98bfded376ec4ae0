#include "repair/report/exception_json.h"

#include <string>
#include <utility>

namespace suture {

using nlohmann::json;

json json_of(const ExceptionRecord& failure) {
  json frames = json::array();
  for (const Frame& frame : failure.frames)
    frames.push_back({frame.file, frame.line, frame.function});
  return {{"type", failure.type}, {"message", failure.message}, {"frames", std::move(frames)}};
}

std::optional<ExceptionRecord> exception_from(const json& json) {
  if (!json.is_object()) return std::nullopt;
  auto text = [&](const char* key) {
    auto at = json.find(key);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  ExceptionRecord failure{text("type"), text("message"), {}};
  auto frames = json.find("frames");
  if (frames == json.end() || !frames->is_array()) return failure;
  for (const auto& each : *frames) {
    bool whole = each.is_array() && each.size() == 3 && each[0].is_string() &&
                 each[1].is_number_integer() && each[2].is_string();
    if (!whole) continue;
    Frame frame;
    frame.file = each[0].get<std::string>();
    frame.line = each[1].get<int>();
    frame.function = each[2].get<std::string>();
    failure.frames.push_back(std::move(frame));
  }
  return failure;
}

}  // namespace suture
