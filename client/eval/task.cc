#include "client/eval/task.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "repair/base/text.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The folder of the virtual environment. Links are not followed: a venv's python3 is a link to the
/// system's, and its environment is where the link is.
fs::path environment_of(const fs::path& python) { return python.parent_path().parent_path(); }

std::string fill(std::string text, const EvalSetup& setup) {
  text = replace_all(std::move(text), "{checks}", setup.checks.string());
  return replace_all(std::move(text), "{env}", environment_of(setup.python).string());
}

/// PATH of the check starts with the interpreter's folder, so a plain `python3` finds it there.
/// Only an interpreter of another name ("/opt/bin/python3.12") has to be put into the command.
bool path_finds(const fs::path& python) {
  std::error_code ignored;
  return fs::equivalent(python.parent_path() / "python3", python, ignored);
}

Check fill(const Check& check, const EvalSetup& setup) {
  Check filled;
  for (const std::string& word : check.command) filled.command.push_back(fill(word, setup));
  for (const auto& [name, value] : check.env) filled.env[name] = fill(value, setup);
  filled.timeout = setup.timeout.value_or(check.timeout);
  if (filled.command.front() == "python3" && !path_finds(setup.python)) {
    filled.command.front() = setup.python.string();
  }
  return filled;
}

/// Whether the sandbox shows the folder anyway. "/" is no environment either: a system's own
/// python3 must not open the whole disk to the check.
bool belongs_to_system(const fs::path& folder) {
  return folder.empty() || folder == "/" || folder == "/usr" || folder == "/usr/local";
}

/// What the check reads besides its tree and the system: its scripts, the virtual environment, and
/// the installation that the environment's interpreter links to.
std::vector<fs::path> visible_folders(const EvalSetup& setup) {
  std::vector<fs::path> folders{setup.checks, environment_of(setup.python)};
  std::error_code failed;
  fs::path interpreter = fs::canonical(setup.python, failed);
  if (!failed && interpreter != setup.python) folders.push_back(environment_of(interpreter));
  std::erase_if(folders, belongs_to_system);
  return folders;
}

json to_json(const Check& check) {
  return {{"command", check.command}, {"env", check.env}, {"timeout_ms", check.timeout.count()}};
}

json to_json(const Budget& budget) {
  json out = json::object();
  if (budget.time) out["time_ms"] = budget.time->count();
  if (budget.check_runs) out["check_runs"] = *budget.check_runs;
  return out;
}

json to_json(const PatternSelection& patterns) {
  return {{"folders", patterns.folders}, {"only", patterns.only}, {"exclude", patterns.exclude}};
}

Check check_from(const json& in) {
  Check check;
  in.at("command").get_to(check.command);
  in.at("env").get_to(check.env);
  check.timeout = std::chrono::milliseconds(in.at("timeout_ms").get<std::int64_t>());
  return check;
}

Budget budget_from(const json& in) {
  Budget budget{std::nullopt, std::nullopt};
  if (in.contains("time_ms")) {
    budget.time = std::chrono::milliseconds(in.at("time_ms").get<std::int64_t>());
  }
  if (in.contains("check_runs")) budget.check_runs = in.at("check_runs").get<std::int64_t>();
  return budget;
}

PatternSelection patterns_from(const json& in) {
  PatternSelection patterns;
  in.at("folders").get_to(patterns.folders);
  in.at("only").get_to(patterns.only);
  in.at("exclude").get_to(patterns.exclude);
  return patterns;
}

RepairTask task_from(const json& in) {
  RepairTask task;
  task.tree = in.at("tree").get<std::string>();
  in.at("report").get_to(task.report);
  task.check = check_from(in.at("check"));
  task.python = in.at("python").get<std::string>();
  for (const json& folder : in.at("visible")) task.visible.push_back(folder.get<std::string>());
  task.details_file = in.at("details_file").get<std::string>();
  task.budget = budget_from(in.at("budget"));
  task.patterns = patterns_from(in.at("patterns"));
  in.at("confidence_threshold").get_to(task.confidence_threshold);
  task.search = in.at("only_silencing").get<bool>() ? RepairRequest::Search::kOnlySilencing
                                                    : RepairRequest::Search::kAll;
  task.tiers = in.at("fresh_only").get<bool>() ? RepairRequest::Tiers::kFreshOnly
                                               : RepairRequest::Tiers::kAll;
  in.at("check_memory_bytes").get_to(task.check_memory_bytes);
  in.at("sandbox").get_to(task.sandbox);
  return task;
}

}  // namespace

RepairTask make_task(const Instance& instance, const EvalSetup& setup) {
  RepairTask task;
  task.tree = setup.trees / instance.id;
  task.report = instance.report;
  task.check = fill(instance.check, setup);
  task.python = setup.python;
  task.visible = visible_folders(setup);
  if (!setup.details.empty()) task.details_file = setup.details / (instance.id + ".json");
  task.budget = setup.budget;
  task.patterns = setup.patterns;
  task.confidence_threshold = setup.confidence_threshold;
  task.search = setup.search;
  task.tiers = setup.tiers;
  task.check_memory_bytes = setup.check_memory_bytes;
  task.sandbox = setup.sandbox;
  return task;
}

RepairRequest request_of(const RepairTask& task) {
  RepairRequest request;
  request.tree = task.tree;
  request.check = task.check;
  if (Result<Report> report = read_report(task.report)) request.report = std::move(*report);
  request.interpreter = task.python.string();
  request.budget = task.budget;
  request.jobs = 1;  // bugs run side by side instead, so that costs can be told apart
  request.confidence_threshold = task.confidence_threshold;
  request.patterns = task.patterns;
  request.search = task.search;
  request.tiers = task.tiers;
  return request;
}

std::string write_task(const RepairTask& task) {
  json visible = json::array();
  for (const fs::path& folder : task.visible) visible.push_back(folder.string());
  json out = {
      {"tree", task.tree.string()},
      {"report", task.report},
      {"check", to_json(task.check)},
      {"python", task.python.string()},
      {"visible", std::move(visible)},
      {"details_file", task.details_file.string()},
      {"budget", to_json(task.budget)},
      {"patterns", to_json(task.patterns)},
      {"confidence_threshold", task.confidence_threshold},
      {"only_silencing", task.search == RepairRequest::Search::kOnlySilencing},
      {"fresh_only", task.tiers == RepairRequest::Tiers::kFreshOnly},
      {"check_memory_bytes", task.check_memory_bytes},
      {"sandbox", task.sandbox},
  };
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<RepairTask> read_task(std::string_view text) {
  try {
    return task_from(json::parse(text));
  } catch (const json::exception& e) {  // the library's way to say it; stays in here
    return fail(ErrorKind::kInternal, std::string("not a repair task: ") + e.what());
  }
}

}  // namespace suture
