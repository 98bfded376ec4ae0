#include "client/cli/pattern_schema.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "repair/base/text.h"
#include "repair/locate/location.h"
#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"

namespace suture {
namespace {

using nlohmann::json;

json text() { return {{"type", "string"}}; }
json texts() { return {{"anyOf", json::array({text(), {{"type", "array"}, {"items", text()}}})}}; }
json one_of(const std::vector<std::string>& words) { return {{"enum", words}}; }
json list_of(json item) { return {{"type", "array"}, {"items", std::move(item)}}; }

json one_or_list(const std::vector<std::string>& words) {
  return {{"anyOf", json::array({one_of(words), list_of(one_of(words))})}};
}

json object(json properties, const std::vector<std::string>& required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", required},
          {"additionalProperties", false}};
}

/// An object with the arguments of a table's row; values may be texts, numbers or lists.
json arguments(const Signature& signature, std::string_view help) {
  json properties = json::object();
  for (const auto* names : {&signature.required, &signature.optional}) {
    for (const std::string& name : *names) properties[name] = json::object();
  }
  json schema = object(std::move(properties), signature.required);
  schema["description"] = std::string(help);
  return schema;
}

/// One predicate a list item: `{name: arguments}`, `{not_name: arguments}`, or a bare value.
json predicate_use() {
  json properties = json::object();
  for (const Predicate& predicate : predicates()) {
    json value = {{"description", std::string(predicate.help)}};
    properties[std::string(predicate.name)] = value;
    properties["not_" + std::string(predicate.name)] = value;
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"minProperties", 1},
          {"maxProperties", 1},
          {"additionalProperties", false}};
}

json edit_step() {
  json choices = json::array();
  for (const Operator& op : operators()) choices.push_back(arguments(op.signature, op.help));
  return {{"anyOf", std::move(choices)}};
}

json hole() {
  std::vector<std::string> names;
  for (const Provider& provider : providers()) names.emplace_back(provider.name);
  json from_provider = {
      {"type", "object"},
      {"properties",
       {{"provider", one_of(names)}, {"limit", {{"type", "integer"}, {"minimum", 1}}}}},
      {"required", {"provider"}}};
  return {{"anyOf", json::array({texts(),
                                 {{"type", {"number", "boolean", "null"}}},
                                 list_of(json::object()),
                                 from_provider})}};
}

const std::vector<std::string>& failure_kinds() {
  static const std::vector<std::string> words = {"exception", "assertion", "syntax", "import",
                                                 "compile",   "link",      "cuda",   "hang",
                                                 "signal",    "unknown"};
  return words;
}

const std::vector<std::string>& roles() {
  static const std::vector<std::string> words = {"failing",    "caller",    "callee",   "origin",
                                                 "definition", "executed",  "returned", "import",
                                                 "module",     "mentioned", "swallowed"};
  return words;
}

json prior() {
  json number = {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
  json properties = {{"default", number}};
  for (const std::string& kind : failure_kinds()) properties[kind] = number;
  return {{"anyOf", json::array({number,
                                 {{"type", "object"},
                                  {"properties", properties},
                                  {"additionalProperties", false}}})}};
}

json test(const std::vector<std::string>& required) {
  json any = json::object();
  return object({{"name", text()},
                 {"before", any},
                 {"after", any},
                 {"failure", text()},
                 {"failing", text()},
                 {"file", text()},
                 {"calls", text()},
                 {"observed", any},
                 {"operands", any},
                 {"check", text()},
                 {"installed", any},
                 {"signatures", any},
                 {"rank", {{"type", "integer"}, {"minimum", 1}}}},
                required);
}

std::string arguments_text(const Signature& signature) {
  std::string list = join(signature.required, ", ");
  for (const std::string& name : signature.optional)
    list += fmt::format("{}[{}]", list.empty() ? "" : ", ", name);
  return list.empty() ? "" : fmt::format(" ({})", list);
}

}  // namespace

json pattern_schema() {
  json clause = object({{"failure", one_or_list(failure_kinds())},
                        {"type", texts()},
                        {"message", text()},
                        {"weight", {{"type", "number"}}}},
                       {});
  json match = object({{"at", one_or_list(roles())},
                       {"any", list_of(text())},
                       {"none", list_of(text())},
                       {"kind", texts()},
                       {"fields", {{"type", "object"}}},
                       {"query", texts()}},
                      {});
  json where = list_of(predicate_use());
  json rewrite = object({{"name", text()},
                         {"where", where},
                         {"edits", list_of(edit_step())},
                         {"summary", text()},
                         {"weight", {{"type", "number"}}}},
                        {"name", "edits"});
  json scan = object({{"message", text()},
                      {"at", text()},
                      {"where", where},
                      {"repair", one_of({"also", "never"})}},
                     {"message"});
  json properties = {
      {"id", {{"type", "string"}, {"pattern", "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"}}},
      {"family", one_of({"conditional", "parameter", "version-compat", "other"})},
      {"languages", one_or_list({"python", "cpp", "cuda"})},
      {"summary", text()},
      {"cause", text()},
      {"rationale", text()},
      {"counts", json::object()},
      {"safety", one_of({"safe", "suggest"})},
      {"silencing", one_of({"no", "deletes", "skips", "swallows"})},
      {"prior", prior()},
      {"when", list_of(std::move(clause))},
      {"match", std::move(match)},
      {"where", where},
      {"holes", {{"type", "object"}, {"additionalProperties", hole()}}},
      {"rewrites", list_of(std::move(rewrite))},
      {"scan", std::move(scan)},
      {"tests", object({{"fixes", list_of(test({"name", "before", "after"}))},
                        {"finds", list_of(test({"name", "before"}))},
                        {"leaves", list_of(test({"name", "before"}))}},
                       {"leaves"})},
  };
  json schema =
      object(std::move(properties), {"id", "family", "summary", "rationale", "match", "tests"});
  // Only what is never part of a search can do without a fix.
  schema["anyOf"] = json::array({{{"required", {"rewrites"}}}, {{"required", {"scan"}}}});
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "suture pattern";
  return schema;
}

std::string pattern_reference() {
  std::string page =
      "## Roles of places (`match.at`)\n\n" + join(roles(), ", ") + "\n\n## Anchors\n\n";
  for (const auto& [name, help] : anchor_names()) page += fmt::format("- `{}`: {}\n", name, help);
  auto table = [&](std::string_view title, const auto& rows) {
    page += fmt::format("\n## {}\n\n", title);
    for (const auto& row : rows)
      page += fmt::format("- `{}`{}: {}\n", row.name, arguments_text(row.signature), row.help);
  };
  table("Operators (`rewrites.edits`)", operators());
  table("Predicates (`where`; `not_` in front negates)", predicates());
  table("Providers (`holes`)", providers());
  return page;
}

}  // namespace suture
