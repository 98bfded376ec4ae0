#include "repair/reproduce/installed.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace suture {
namespace {

using nlohmann::json;

std::vector<std::string> strings(const json& array) {
  std::vector<std::string> result;
  if (!array.is_array()) return result;
  for (const json& element : array) {
    if (element.is_string()) result.push_back(element.get<std::string>());
  }
  return result;
}

std::string string_at(const json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Parameter::Kind kind_from(std::string_view word) {
  using Kind = Parameter::Kind;
  if (word == "POSITIONAL_ONLY") return Kind::kPositionalOnly;
  if (word == "VAR_POSITIONAL") return Kind::kVarPositional;
  if (word == "KEYWORD_ONLY") return Kind::kKeywordOnly;
  if (word == "VAR_KEYWORD") return Kind::kVarKeyword;
  return Kind::kPositionalOrKeyword;
}

json parsed(const std::string& answer) { return json::parse(answer, nullptr, false); }

}  // namespace

ProbeInstalled::ProbeInstalled(Executor& executor, std::string interpreter,
                               std::map<std::string, std::string> check_env,
                               std::vector<std::string> own_names, CancelToken cancel)
    : executor_(executor),
      interpreter_(std::move(interpreter)),
      env_(std::move(check_env)),
      own_names_(std::move(own_names)),
      cancel_(std::move(cancel)) {}

std::string ProbeInstalled::ask(const std::string& question_json) {
  std::lock_guard lock(mutex_);
  auto known = answers_.find(question_json);
  if (known != answers_.end()) return known->second;
  if (!process_)
    process_ = std::make_unique<AskingProcess>(executor_, interpreter_, env_, own_names_);
  std::optional<std::string> told = process_->ask(question_json, cancel_);
  if (!told) process_.reset();  // the next question gets a new one
  std::string answer = told.value_or("null");
  // An answer that could not be had is kept too: asking again would cost as much and say no more.
  if (!cancel_.cancelled()) answers_[question_json] = answer;
  return answer;
}

bool ProbeInstalled::has_module(const std::string& module) {
  return parsed(ask(json{{"ask", "has_module"}, {"module", module}}.dump())) == true;
}

std::vector<std::string> ProbeInstalled::names_of(const std::string& module) {
  return strings(parsed(ask(json{{"ask", "names_of"}, {"module", module}}.dump())));
}

std::vector<Export> ProbeInstalled::exporters(const std::string& name,
                                              const std::string& near_module) {
  json answer =
      parsed(ask(json{{"ask", "exporters"}, {"name", name}, {"near", near_module}}.dump()));
  std::vector<Export> result;
  if (!answer.is_array()) return result;
  for (const json& each : answer) {
    std::string module = string_at(each, "module");
    if (!module.empty())
      result.push_back({module, string_at(each, "name"), string_at(each, "kind")});
  }
  return result;
}

std::optional<std::vector<Parameter>> ProbeInstalled::signature(const std::string& callable) {
  json answer = parsed(ask(json{{"ask", "signature"}, {"callable", callable}}.dump()));
  if (!answer.is_array()) return std::nullopt;
  std::vector<Parameter> result;
  for (const json& each : answer) {
    Parameter parameter;
    parameter.name = string_at(each, "name");
    parameter.kind = kind_from(string_at(each, "kind"));
    parameter.has_default = each.contains("default");
    parameter.default_text = string_at(each, "default");
    if (!parameter.name.empty()) result.push_back(std::move(parameter));
  }
  return result;
}

std::string ProbeInstalled::version(const std::string& module) {
  json answer = parsed(ask(json{{"ask", "version"}, {"module", module}}.dump()));
  return answer.is_string() ? answer.get<std::string>() : "";
}

}  // namespace suture
