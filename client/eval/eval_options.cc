#include "client/eval/eval_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "client/eval/budget.h"
#include "repair/base/text.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

/// Absolute and without "..", links kept: a venv's python3 is a link that must not be followed.
fs::path absolute(const std::string& path) {
  std::error_code ignored;
  fs::path whole = fs::absolute(path, ignored).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();  // no slash at the end
}

Result<fs::path> folder(const char* option, const std::string& path) {
  std::error_code ignored;
  fs::path whole = absolute(path);
  if (!fs::is_directory(whole, ignored)) {
    return fail(ErrorKind::kNotFound, fmt::format("{}: there is no folder {}", option, path));
  }
  return whole;
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// A name without a slash is looked for in PATH, as a shell does.
std::optional<fs::path> find_program(const std::string& name) {
  std::vector<fs::path> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(absolute(name));
  } else if (const char* path = std::getenv("PATH")) {
    for (const std::string& entry : split(path, ':')) candidates.push_back(absolute(entry) / name);
  }
  for (const fs::path& candidate : candidates) {
    if (is_program(candidate)) return candidate;
  }
  return std::nullopt;
}

Result<fs::path> details_folder(const std::string& path) {
  if (path.empty()) return fs::path();
  std::error_code failed;
  fs::create_directories(absolute(path), failed);
  if (failed) {
    return fail(ErrorKind::kUsage,
                fmt::format("--details: cannot make the folder {}: {}", path, failed.message()));
  }
  return absolute(path);
}

Result<PatternSelection> patterns_of(const EvalArguments& arguments) {
  PatternSelection patterns{{}, arguments.only, arguments.exclude};
  for (const std::string& path : arguments.pattern_folders) {
    TRY(fs::path whole, folder("--patterns", path));
    patterns.folders.push_back(whole.string());
  }
  return patterns;
}

/// Three quarters of the machine, shared by the bugs that run at once.
std::uint64_t memory_of_a_check(int jobs) {
  auto pages = std::uint64_t(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  return pages * std::uint64_t(sysconf(_SC_PAGESIZE)) / 4 * 3 / std::uint64_t(std::max(jobs, 1));
}

}  // namespace

Result<EvalSetup> setup_of(const EvalArguments& arguments) {
  EvalSetup setup;
  TRY(setup.trees, folder("--trees", arguments.trees));
  if (!arguments.checks.empty()) {
    TRY(setup.checks, folder("--checks", arguments.checks));
  }
  std::optional<fs::path> python = find_program(arguments.python);
  if (!python) {
    return fail(ErrorKind::kNotFound,
                fmt::format("--python: there is no program {}", arguments.python));
  }
  setup.python = *python;
  TRY(setup.details, details_folder(arguments.details));
  TRY(setup.budget, parse_budget(arguments.budget));
  TRY(setup.patterns, patterns_of(arguments));
  setup.confidence_threshold = arguments.confidence;
  if (arguments.only_silencing) setup.search = RepairRequest::Search::kOnlySilencing;
  if (arguments.fresh_only) setup.tiers = RepairRequest::Tiers::kFreshOnly;
  if (!arguments.timeout.empty()) {
    TRY(setup.timeout, parse_duration(arguments.timeout));
  }
  setup.check_memory_bytes = memory_of_a_check(arguments.jobs);
  setup.sandbox = !arguments.no_sandbox;
  return setup;
}

Selection selection_of(const EvalArguments& arguments) {
  Selection selection{arguments.ids, std::nullopt, arguments.seed};
  if (arguments.sample > 0) selection.sample = arguments.sample;
  return selection;
}

void add_input_options(CLI::App& command, EvalArguments& a) {
  const char* group = "Bugs";
  command.add_option("--dataset", a.dataset, "Data set, one JSON object a line")
      ->required()
      ->type_name("FILE")
      ->group(group);
  command.add_option("--trees", a.trees, "Prepared trees: DIR/<instance id>")
      ->required()
      ->type_name("DIR")
      ->group(group);
  command.add_option("--checks", a.checks, "Folder that {checks} stands for")
      ->type_name("DIR")
      ->group(group);
  command
      .add_option("--python", a.python,
                  "Interpreter of the checks; {env} is the folder of its environment")
      ->capture_default_str()
      ->type_name("BIN")
      ->group(group);
  command.add_option("--ids", a.ids, "Only these instances")
      ->delimiter(',')
      ->type_name("ID")
      ->group(group);
  command.add_option("--sample", a.sample, "Only the first N by SHA-256 of \"SEED:instance_id\"")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group(group);
  command.add_option("--seed", a.seed, "Chooses the sample (repairs are not changed by it)")
      ->capture_default_str()
      ->type_name("SEED")
      ->group(group);
}

namespace {

bool mentions(const Check& check, std::string_view placeholder) {
  auto in = [&](const std::string& text) { return text.find(placeholder) != std::string::npos; };
  return std::any_of(check.command.begin(), check.command.end(), in) ||
         std::any_of(check.env.begin(), check.env.end(),
                     [&](const auto& setting) { return in(setting.second); });
}

}  // namespace

Status checks_are_given(const std::vector<Instance>& instances, const EvalSetup& setup) {
  auto needs = [](const Instance& instance) { return mentions(instance.check, "{checks}"); };
  auto found = std::find_if(instances.begin(), instances.end(), needs);
  if (!setup.checks.empty() || found == instances.end()) return {};
  return fail(ErrorKind::kUsage, fmt::format("the check of {} uses {{checks}}", found->id),
              "say by --checks where the check scripts are");
}

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
    case ErrorKind::kBadInput:
    case ErrorKind::kNotFound:
      return 2;
    case ErrorKind::kInfra:
      return 5;
    case ErrorKind::kUnsupported:
      return 6;
    case ErrorKind::kInternal:
      return 70;
    case ErrorKind::kCancelled:
      return 130;
  }
  return 70;
}

}  // namespace suture
