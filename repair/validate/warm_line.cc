#include "repair/validate/warm_line.h"

namespace suture {

using Json = nlohmann::json;

std::string text_in(const Json& line, const char* key) {
  auto at = line.find(key);
  return at != line.end() && at->is_string() ? at->get<std::string>() : std::string();
}

double number_in(const Json& line, const char* key) {
  auto at = line.find(key);
  return at != line.end() && at->is_number() ? at->get<double>() : 0;
}

bool flag_in(const Json& line, const char* key) {
  auto at = line.find(key);
  return at != line.end() && at->is_boolean() && at->get<bool>();
}

std::optional<ChildEnd> child_end_in(const Json& line) {
  if (auto status = line.find("status"); status != line.end() && status->is_number_integer()) {
    int code = status->get<int>();
    return ChildEnd{code == 0 ? Verdict::kPassed : Verdict::kFailed, code};
  }
  if (auto signal = line.find("signal"); signal != line.end() && signal->is_number_integer())
    return ChildEnd{Verdict::kCrashed, signal->get<int>()};
  if (line.contains("timeout")) return ChildEnd{Verdict::kTimedOut, 0};
  return std::nullopt;
}

std::optional<ExceptionRecord> failure_in(const Json& line) {
  Json failure = Json::parse(text_in(line, "failure"), nullptr, false);
  if (!failure.is_object()) return std::nullopt;
  ExceptionRecord record;
  std::string module = text_in(failure, "module");
  bool bare = module.empty() || module == "builtins" || module == "__main__";
  record.type = (bare ? "" : module + ".") + text_in(failure, "type");
  record.message = text_in(failure, "message");
  auto frames = failure.find("frames");
  if (frames == failure.end() || !frames->is_array()) return record;
  for (const Json& each : *frames) {
    bool whole = each.is_array() && each.size() == 3 && each[0].is_string() &&
                 each[1].is_number_integer() && each[2].is_string();
    if (!whole) continue;
    Frame frame;
    frame.file = each[0].get<std::string>();
    frame.line = each[1].get<int>();
    frame.function = each[2].get<std::string>();
    record.frames.push_back(std::move(frame));
  }
  return record;
}

}  // namespace suture
