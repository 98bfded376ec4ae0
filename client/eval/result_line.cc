#include "client/eval/result_line.h"

#include <fmt/format.h>

#include <cmath>

namespace suture {
namespace {

using nlohmann::ordered_json;

/// To three decimals: milliseconds, for times.
double rounded(double value) { return std::round(value * 1000) / 1000; }

/// Takes over a field when it is there with the right type; otherwise the default stays.
void read(const ordered_json& in, const char* name, std::string& to) {
  if (auto field = in.find(name); field != in.end() && field->is_string()) field->get_to(to);
}

template <class Number>
void read_number(const ordered_json& in, const char* name, Number& to) {
  if (auto field = in.find(name); field != in.end() && field->is_number()) field->get_to(to);
}

void read_tiers(const ordered_json& in, ResultLine& line) {
  auto tiers = in.find("tiers");
  if (tiers == in.end() || !tiers->is_object()) return;
  for (const auto& [tier, runs] : tiers->items()) {
    if (runs.is_number_integer()) line.tiers[tier] = runs.template get<std::int64_t>();
  }
}

void read_weakenings(const ordered_json& in, ResultLine& line) {
  auto weakenings = in.find("weakenings");
  if (weakenings == in.end() || !weakenings->is_array()) return;
  for (const ordered_json& reason : *weakenings) {
    if (reason.is_string()) line.weakenings.push_back(reason.get<std::string>());
  }
}

}  // namespace

ordered_json to_json(const ResultLine& line) {
  ordered_json out = {
      {"instance_id", line.instance_id},
      {"model_name_or_path", line.model_name_or_path},
      {"model_patch", line.model_patch},
      {"withheld_patch", line.withheld_patch},
      {"outcome", line.outcome},
      {"confidence", rounded(line.confidence)},
      {"pattern", line.pattern},
      {"file", line.file},
      {"line", line.line},
      {"seconds", rounded(line.seconds)},
      {"own_cpu_seconds", rounded(line.own_cpu_seconds)},
      {"check_runs", line.check_runs},
      {"check_seconds", rounded(line.check_seconds)},
      {"candidates", line.candidates},
      {"plausible", line.plausible},
      {"rank_first_plausible", line.rank_first_plausible},
      {"reason", line.reason},
      {"tiers", line.tiers},
      {"fresh_seconds", rounded(line.fresh_seconds)},
  };
  if (!line.weakenings.empty()) out["weakenings"] = line.weakenings;
  return out;
}

std::string write_result_line(const ResultLine& line) {
  return to_json(line).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ResultLine result_line_from(const ordered_json& in) {
  ResultLine line;
  read(in, "instance_id", line.instance_id);
  read(in, "model_name_or_path", line.model_name_or_path);
  read(in, "model_patch", line.model_patch);
  read(in, "withheld_patch", line.withheld_patch);
  read(in, "outcome", line.outcome);
  read(in, "pattern", line.pattern);
  read(in, "file", line.file);
  read(in, "reason", line.reason);
  read_number(in, "confidence", line.confidence);
  read_number(in, "line", line.line);
  read_number(in, "seconds", line.seconds);
  read_number(in, "own_cpu_seconds", line.own_cpu_seconds);
  read_number(in, "check_runs", line.check_runs);
  read_number(in, "check_seconds", line.check_seconds);
  read_number(in, "fresh_seconds", line.fresh_seconds);
  read_number(in, "candidates", line.candidates);
  read_number(in, "plausible", line.plausible);
  read_number(in, "rank_first_plausible", line.rank_first_plausible);
  read_tiers(in, line);
  read_weakenings(in, line);
  return line;
}

Result<ResultLine> read_result_line(std::string_view text) {
  ordered_json in = ordered_json::parse(text, nullptr, false);
  if (!in.is_object()) return fail(ErrorKind::kBadInput, "not a JSON object");
  ResultLine line = result_line_from(in);
  for (const auto& [name, value] :
       {std::pair{"instance_id", &line.instance_id}, std::pair{"outcome", &line.outcome}}) {
    if (value->empty()) {
      return fail(ErrorKind::kBadInput, fmt::format("field '{}' is missing", name));
    }
  }
  return line;
}

}  // namespace suture
