#include "repair/validate/warm_line.h"

#include "repair/report/exception_json.h"

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
  std::optional<ExceptionRecord> record = exception_from(failure);
  if (!record) return std::nullopt;
  std::string module = text_in(failure, "module");
  bool bare = module.empty() || module == "builtins" || module == "__main__";
  if (!bare) record->type = module + "." + record->type;
  return record;
}

}  // namespace suture
