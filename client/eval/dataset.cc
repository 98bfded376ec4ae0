#include "client/eval/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDatasetBytes = std::size_t(1) << 30;
constexpr double kLongestCheckSeconds = 24 * 3600.0;

/// One row, with the place that messages point at.
struct Row {
  json fields;
  SourcePos where;

  tl::unexpected<Error> bad(std::string message, std::string hint = {}) const {
    return fail(ErrorKind::kBadInput, std::move(message), std::move(hint), where);
  }
};

const json* find(const json& object, const char* name) {
  auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<std::string> needed_text(const Row& row, const char* name) {
  const json* field = find(row.fields, name);
  if (field == nullptr) return row.bad(fmt::format("field '{}' is missing", name));
  if (!field->is_string()) return row.bad(fmt::format("field '{}' is not a text", name));
  return field->get<std::string>();
}

std::string optional_text(const Row& row, const char* name) {
  const json* field = find(row.fields, name);
  return field != nullptr && field->is_string() ? field->get<std::string>() : std::string();
}

/// A list of one or more texts; nothing when the value is something else.
std::optional<std::vector<std::string>> text_list(const json& value) {
  if (!value.is_array() || value.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const json& item : value) {
    if (!item.is_string()) return std::nullopt;
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

/// The id names a folder below --trees, so it must not lead anywhere else.
bool is_plain_name(std::string_view id) {
  bool plain = std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '_' || c == '-';
  });
  return plain && !id.empty() && id.front() != '.';
}

Result<std::string> read_id(const Row& row) {
  TRY(std::string id, needed_text(row, "instance_id"));
  if (!is_plain_name(id)) {
    return row.bad(fmt::format("instance_id '{}' cannot name a folder", id),
                   "use letters, digits, '.', '_' and '-'");
  }
  return id;
}

Result<std::map<std::string, std::string>> read_env(const Row& row, const json& check) {
  std::map<std::string, std::string> env;
  const json* field = find(check, "env");
  if (field == nullptr) return env;
  if (!field->is_object()) return row.bad("field 'check.env' is not an object of texts");
  for (const auto& [name, value] : field->items()) {
    if (!value.is_string()) return row.bad(fmt::format("field 'check.env.{}' is not a text", name));
    env[name] = value.get<std::string>();
  }
  return env;
}

Result<std::chrono::milliseconds> read_timeout(const Row& row, const json& check) {
  const json* field = find(check, "timeout_s");
  if (field == nullptr) return Check{}.timeout;
  double seconds = field->is_number() ? field->get<double>() : -1;
  if (!(seconds > 0 && seconds <= kLongestCheckSeconds)) {
    return row.bad("field 'check.timeout_s' is not a number of seconds in (0, 86400]");
  }
  return std::chrono::milliseconds(std::llround(std::ceil(seconds * 1000)));
}

/// SWE-bench publishes FAIL_TO_PASS as a list in some copies and as the list's JSON text in others.
Result<Check> check_of_test_ids(const Row& row, const json& field) {
  json value = field.is_string() ? json::parse(field.get<std::string>(), nullptr, false) : field;
  std::optional<std::vector<std::string>> ids = text_list(value);
  if (!ids) return row.bad("field 'FAIL_TO_PASS' is neither a list of test ids nor its JSON text");
  Check check;
  check.command = {"python3", "-m", "pytest", "-x"};
  check.command.insert(check.command.end(), ids->begin(), ids->end());
  return check;
}

Result<Check> read_check(const Row& row) {
  const json* field = find(row.fields, "check");
  if (field == nullptr) {
    if (const json* ids = find(row.fields, "FAIL_TO_PASS")) return check_of_test_ids(row, *ids);
    return row.bad("field 'check' is missing",
                   "it is {\"command\": [...], \"env\": {...}, \"timeout_s\": n}");
  }
  if (!field->is_object()) return row.bad("field 'check' is not an object");
  const json* command = find(*field, "command");
  if (command == nullptr) return row.bad("field 'check.command' is missing");
  std::optional<std::vector<std::string>> words = text_list(*command);
  if (!words) return row.bad("field 'check.command' is not a list of words");
  Check check;
  check.command = std::move(*words);
  TRY(check.env, read_env(row, *field));
  TRY(check.timeout, read_timeout(row, *field));
  return check;
}

Result<Instance> read_instance(const Row& row) {
  Instance instance;
  TRY(instance.id, read_id(row));
  TRY(instance.report, needed_text(row, "problem_statement"));
  TRY(instance.check, read_check(row));
  return instance;
}

Result<InstanceLabels> read_labels(const Row& row) {
  InstanceLabels labels;
  TRY(labels.project, needed_text(row, "repo"));
  labels.family = optional_text(row, "family");
  labels.language = optional_text(row, "language");
  return labels;
}

Result<Row> read_row(std::string_view line, SourcePos where) {
  Row row{json::parse(line, nullptr, false), std::move(where)};
  if (row.fields.is_discarded())
    return row.bad("not JSON", "a data set has one JSON object a line");
  if (!row.fields.is_object()) return row.bad("not a JSON object");
  return row;
}

}  // namespace

Result<DataSet> parse_dataset(std::string_view text, const std::string& file) {
  DataSet data;
  int number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    TRY(Row row, read_row(line, SourcePos{file, number, 0}));
    TRY(Instance instance, read_instance(row));
    TRY(InstanceLabels labels, read_labels(row));
    if (!data.labels.emplace(instance.id, std::move(labels)).second) {
      return row.bad(fmt::format("instance_id '{}' occurs twice", instance.id));
    }
    data.instances.push_back(std::move(instance));
  }
  if (data.instances.empty()) {
    return fail(ErrorKind::kBadInput, "the data set is empty", {}, SourcePos{file, 0, 0});
  }
  return data;
}

Result<DataSet> load_dataset(const std::filesystem::path& path) {
  TRY(std::string text, read_file(path, kMaxDatasetBytes));
  return parse_dataset(text, path.string());
}

}  // namespace suture
