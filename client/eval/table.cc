#include "client/eval/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "client/eval/quantile.h"
#include "repair/job.h"

namespace suture {
namespace {

using nlohmann::ordered_json;

std::string word(Outcome outcome) { return std::string(to_string(outcome)); }

/// The order in which outcomes are shown.
std::vector<std::string> known_outcomes() {
  return {word(Outcome::kPatched),     word(Outcome::kNoPatch),  word(Outcome::kNotReproduced),
          word(Outcome::kFlakyCheck),  word(Outcome::kNoCheck),  word(Outcome::kEnvironment),
          word(Outcome::kUnsupported), word(Outcome::kCancelled)};
}

using Group = std::vector<const ResultLine*>;

double median_of(const Group& group, const std::function<double(const ResultLine&)>& value) {
  std::vector<double> values;
  for (const ResultLine* line : group) values.push_back(value(*line));
  return quantile(std::move(values), 0.5);
}

double cpu_per_check(const Group& group) {
  std::vector<double> values;
  for (const ResultLine* line : group) {
    auto runs = line->tiers.find("fresh");
    if (runs == line->tiers.end() || line->fresh_seconds <= 0) continue;
    values.push_back(line->own_cpu_seconds * double(runs->second) / line->fresh_seconds);
  }
  return quantile(std::move(values), 0.5);
}

/// "place" of "place: no location ..."; empty when the reason does not begin with one of the three.
std::string lack_of(const ResultLine& line) {
  std::string_view reason = line.reason;
  for (std::string_view lack : {"place", "ingredient", "budget"}) {
    if (reason.starts_with(lack) && reason.substr(lack.size()).starts_with(": ")) {
      return std::string(lack);
    }
  }
  return {};
}

TableRow make_row(std::string name, Group group) {
  TableRow row;
  row.name = std::move(name);
  row.infra = std::erase_if(
      group, [](const ResultLine* line) { return line->outcome == word(Outcome::kInfraError); });
  row.bugs = group.size();
  for (const ResultLine* line : group) {
    ++row.outcomes[line->outcome];
    if (line->plausible > 0) ++row.plausible;
    if (std::string lack = lack_of(*line); !lack.empty()) ++row.lacking[lack];
    row.check_runs += line->check_runs;
    row.seconds += line->seconds;
    row.own_cpu_seconds += line->own_cpu_seconds;
  }
  row.median_seconds = median_of(group, [](const ResultLine& l) { return l.seconds; });
  row.median_check_runs =
      median_of(group, [](const ResultLine& l) { return double(l.check_runs); });
  row.median_own_cpu_seconds =
      median_of(group, [](const ResultLine& l) { return l.own_cpu_seconds; });
  row.median_cpu_per_check = cpu_per_check(group);
  return row;
}

std::vector<TableRow> group_by(const std::vector<ResultLine>& lines,
                               const std::map<std::string, InstanceLabels>& labels,
                               std::string InstanceLabels::*label) {
  std::map<std::string, Group> groups;
  for (const ResultLine& line : lines) {
    auto found = labels.find(line.instance_id);
    if (found == labels.end()) continue;
    const std::string& value = found->second.*label;
    groups[value.empty() ? "(none)" : value].push_back(&line);
  }
  std::vector<TableRow> rows;
  for (auto& [name, group] : groups) rows.push_back(make_row(name, std::move(group)));
  return rows;
}

/// Lines of cells; the first column is left-aligned, the others right.
std::string align(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string text;
  for (const auto& cells : lines) {
    text += fmt::format("{:<{}}", cells[0], widths[0]);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      text += fmt::format("  {:>{}}", cells[i], widths[i]);
    }
    text += '\n';
  }
  return text;
}

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f}", 100.0 * double(part) / double(whole));
}

std::vector<std::string> heading(const std::string& title,
                                 const std::vector<std::string>& outcomes) {
  std::vector<std::string> cells{title, "bugs"};
  cells.insert(cells.end(), outcomes.begin(), outcomes.end());
  for (const char* name : {"patched %", "plausible", "INFRA_ERROR", "seconds", "check runs",
                           "own CPU s", "CPU/check"}) {
    cells.emplace_back(name);
  }
  return cells;
}

std::vector<std::string> cells_of(const TableRow& row, const std::vector<std::string>& outcomes) {
  std::vector<std::string> cells{row.name, std::to_string(row.bugs)};
  for (const std::string& outcome : outcomes) cells.push_back(std::to_string(row.outcome(outcome)));
  cells.push_back(percent(row.outcome(word(Outcome::kPatched)), row.bugs));
  cells.push_back(std::to_string(row.plausible));
  cells.push_back(std::to_string(row.infra));
  cells.push_back(fmt::format("{:.1f}", row.median_seconds));
  cells.push_back(fmt::format("{:.0f}", row.median_check_runs));
  cells.push_back(fmt::format("{:.2f}", row.median_own_cpu_seconds));
  cells.push_back(fmt::format("{:.2f}", row.median_cpu_per_check));
  return cells;
}

std::string to_text(const std::string& title, const std::vector<TableRow>& rows,
                    const std::vector<std::string>& outcomes) {
  std::vector<std::vector<std::string>> lines{heading(title, outcomes)};
  for (const TableRow& row : rows) lines.push_back(cells_of(row, outcomes));
  return align(lines) + "\n";
}

/// PATCHED and NO_PATCH always, the others where they occur.
std::vector<std::string> shown_outcomes(const TableRow& all) {
  std::vector<std::string> shown;
  std::vector<std::string> known = known_outcomes();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i < 2 || all.outcome(known[i]) > 0) shown.push_back(known[i]);
  }
  for (const auto& [outcome, bugs] : all.outcomes) {
    if (std::find(known.begin(), known.end(), outcome) == known.end()) shown.push_back(outcome);
  }
  return shown;
}

std::string totals(const TableRow& all) {
  std::string text = fmt::format(
      "Seconds, check runs and own CPU are medians a bug; in all {:.0f} s, {} check runs, {:.1f} s "
      "own "
      "CPU.\n",
      all.seconds, all.check_runs, all.own_cpu_seconds);
  std::vector<std::string> parts;
  for (const auto& [lack, bugs] : all.lacking) parts.push_back(fmt::format("{} {}", lack, bugs));
  if (!parts.empty()) text += fmt::format("Lacking where no patch: {}.\n", fmt::join(parts, ", "));
  return text;
}

ordered_json to_json(const TableRow& row) {
  return {
      {"name", row.name},
      {"bugs", row.bugs},
      {"infra_errors", row.infra},
      {"outcomes", row.outcomes},
      {"plausible", row.plausible},
      {"lacking", row.lacking},
      {"seconds", row.seconds},
      {"check_runs", row.check_runs},
      {"own_cpu_seconds", row.own_cpu_seconds},
      {"median_seconds", row.median_seconds},
      {"median_check_runs", row.median_check_runs},
      {"median_own_cpu_seconds", row.median_own_cpu_seconds},
      {"median_cpu_per_check", row.median_cpu_per_check},
  };
}

ordered_json to_json(const std::vector<TableRow>& rows) {
  ordered_json out = ordered_json::array();
  for (const TableRow& row : rows) out.push_back(to_json(row));
  return out;
}

}  // namespace

std::size_t TableRow::outcome(const std::string& word) const {
  auto found = outcomes.find(word);
  return found == outcomes.end() ? 0 : found->second;
}

Tables make_tables(const std::vector<ResultLine>& lines,
                   const std::map<std::string, InstanceLabels>& labels) {
  Group all;
  for (const ResultLine& line : lines) all.push_back(&line);
  return Tables{make_row("all", std::move(all)), group_by(lines, labels, &InstanceLabels::project),
                group_by(lines, labels, &InstanceLabels::family),
                group_by(lines, labels, &InstanceLabels::language)};
}

std::string to_text(const Tables& tables) {
  std::vector<std::string> outcomes = shown_outcomes(tables.all);
  return to_text("project", tables.by_project, outcomes) +
         to_text("family", tables.by_family, outcomes) +
         to_text("language", tables.by_language, outcomes) + to_text("", {tables.all}, outcomes) +
         totals(tables.all);
}

nlohmann::ordered_json to_json(const Tables& tables) {
  return {{"all", to_json(tables.all)},
          {"by_project", to_json(tables.by_project)},
          {"by_family", to_json(tables.by_family)},
          {"by_language", to_json(tables.by_language)}};
}

}  // namespace suture
