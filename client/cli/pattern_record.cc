#include "client/cli/pattern_record.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void count(const json& result, CatalogueRecord& record) {
  ++record.bugs;
  auto each = [&](const json& entry, std::size_t PatternRecord::*number) {
    for (const std::string& id : split(entry.at("pattern").get<std::string>(), '+'))
      ++(record.patterns[id].*number);
  };
  for (const json& trial : result.at("trials")) {
    each(trial, &PatternRecord::tried);
    if (trial.at("verdict") == "PASSED") each(trial, &PatternRecord::green);
  }
  for (const json& proposal : result.at("proposals")) each(proposal, &PatternRecord::shown);
}

}  // namespace

Result<CatalogueRecord> count_record(const fs::path& details) {
  CatalogueRecord record;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(details, error)) {
    if (entry.path().extension() != ".json") continue;
    TRY(std::string text, read_file(entry.path()));
    try {
      count(json::parse(text), record);
    } catch (const json::exception& e) {
      return fail(ErrorKind::kBadInput, fmt::format("{} is no result of `suture eval`: {}",
                                                    entry.path().string(), e.what()));
    }
  }
  if (error)
    return fail(ErrorKind::kNotFound, fmt::format("cannot read {}", details.string()),
                "give the folder that `suture eval --details` wrote");
  return record;
}

std::string to_yaml(const CatalogueRecord& record) {
  std::string text = fmt::format(
      "# Written by `suture patterns record`: what became of each pattern's candidates.\n"
      "bugs: {}\npatterns:\n",
      record.bugs);
  for (const auto& [id, one] : record.patterns)
    text += fmt::format("  {}: {{tried: {}, green: {}, shown: {}}}\n", id, one.tried, one.green,
                        one.shown);
  return text;
}

Result<CatalogueRecord> load_record(const fs::path& path) {
  CatalogueRecord record;
  if (!fs::exists(path)) return record;
  TRY(std::string text, read_file(path));
  try {
    YAML::Node root = YAML::Load(text);
    record.bugs = root["bugs"].as<std::size_t>();
    for (const auto& entry : root["patterns"]) {
      record.patterns[entry.first.as<std::string>()] = {entry.second["tried"].as<std::size_t>(),
                                                        entry.second["green"].as<std::size_t>(),
                                                        entry.second["shown"].as<std::size_t>()};
    }
  } catch (const YAML::Exception& e) {
    return fail(ErrorKind::kBadInput, e.msg, "bugs: N, patterns: {id: {tried, green, shown}}",
                SourcePos{path.string(), e.mark.line + 1, e.mark.column + 1});
  }
  return record;
}

}  // namespace suture
