#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace suture {

/// The options of `suture repair`, as typed. Turned into a RepairJob by prepare_repair().
struct RepairOptions {
  std::string check;
  std::string report;       ///< file name or "-"
  bool run_script = false;  ///< a script found in the report may become the check
  std::string repo = ".";
  std::string revision;
  std::string python;
  std::vector<std::string> env;       ///< NAME=VALUE, or NAME to pass it on
  std::vector<std::string> readable;  ///< further paths that checks may read
  std::string timeout = "120s";
  std::vector<std::string> budget;  ///< default: see kDefaultBudget
  std::int64_t max_runs = 0;        ///< 0: no bound
  int jobs = 0;                     ///< 0: as many as there are processors
  int patches = 1;
  double confidence = 0.35;
  std::uint64_t seed = 1;
  std::vector<std::string> patterns, only, exclude;
  bool no_sandbox = false;
  bool fresh_only = false;  ///< no warm processes
  bool no_cache = false;    ///< verdicts of earlier jobs do not count, and none are kept
  std::string format = "text";
  bool apply = false;
  bool explain = false;
  std::string events;  ///< file for JSON lines

  static constexpr const char* kDefaultBudget = "300s";
};

/// Adds the options of `suture repair` to its App. The struct must outlive the App.
void add_repair_options(CLI::App& command, RepairOptions& options);

}  // namespace suture
