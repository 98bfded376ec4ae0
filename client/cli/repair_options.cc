#include "client/cli/repair_options.h"

namespace suture {
namespace {

/// One value an option, so that `--only a b` does not swallow what follows.
CLI::Option* one_each(CLI::Option* option) { return option->allow_extra_args(false); }

void add_problem_options(CLI::App& command, RepairOptions& o) {
  const char* group = "What is broken";
  command
      .add_option("-c,--check", o.check,
                  "Command that fails now and must succeed; runs in the folder of --repo")
      ->type_name("COMMAND")
      ->group(group);
  command
      .add_option("-r,--report", o.report,
                  "Text that shows the failure: log, traceback, issue; - is standard input")
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--run-script", o.run_script,
                "A script found in the report may be run as the check")
      ->group(group);
  command.add_option("--repo", o.repo, "Folder to repair, a git checkout or not")
      ->type_name("DIR")
      ->envname("SUTURE_REPO")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--revision", o.revision, "Repair this revision instead of the files as they are")
      ->type_name("REV")
      ->group(group);
}

void add_check_options(CLI::App& command, RepairOptions& o) {
  const char* group = "How checks run";
  command
      .add_option("--python", o.python,
                  "Interpreter, or folder of a virtual environment; default: the active one")
      ->type_name("FILE")
      ->envname("SUTURE_PYTHON")
      ->group(group);
  one_each(command.add_option("--env", o.env, "Variable for checks; a NAME alone passes on yours"))
      ->type_name("NAME[=VALUE]")
      ->group(group);
  one_each(command.add_option("--readable", o.readable,
                              "Folder outside the tree that checks may read (models, data)"))
      ->type_name("DIR")
      ->group(group);
  command.add_option("--timeout", o.timeout, "Time for one check run: 30s, 2m")
      ->type_name("TIME")
      ->envname("SUTURE_TIMEOUT")
      ->capture_default_str()
      ->group(group);
  command.add_option("-j,--jobs", o.jobs, "Check runs at once; default: number of processors")
      ->type_name("N")
      ->envname("SUTURE_JOBS")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  command
      .add_flag("--fresh-only", o.fresh_only,
                "Run every candidate in a new process, none in a fork of the failing run")
      ->group(group);
  command
      .add_flag("--no-cache", o.no_cache,
                "Run what an earlier job of the same tree and check has run, too")
      ->group(group);
  command
      .add_flag("--no-sandbox", o.no_sandbox,
                "Run checks with your own rights; recorded in the result")
      ->group(group);
}

void add_search_options(CLI::App& command, RepairOptions& o) {
  const char* group = "How to search";
  one_each(command.add_option("--budget", o.budget,
                              "Bound on the search: 300s, 5m, '40 runs' or both; default: 300s"))
      ->type_name("BUDGET")
      ->envname("SUTURE_BUDGET")
      ->group(group);
  command.add_option("--max-runs", o.max_runs, "Bound on check runs, on top of --budget")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->group(group);
  command.add_option("--patches", o.patches, "How many patches to look for")
      ->type_name("N")
      ->check(CLI::Range(1, 100))
      ->capture_default_str()
      ->group(group);
  command.add_option("--confidence", o.confidence, "Patches below this confidence are withheld")
      ->type_name("0-1")
      ->envname("SUTURE_CONFIDENCE")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group(group);
  one_each(command.add_option("--patterns", o.patterns, "Folder of further patterns"))
      ->type_name("DIR")
      ->envname("SUTURE_PATTERNS")
      ->group(group);
  one_each(command.add_option("--only", o.only, "Only these patterns or families"))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->group(group);
  one_each(command.add_option("--exclude", o.exclude, "Not these patterns or families"))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->group(group);
  command
      .add_option("--seed", o.seed,
                  "Reserved: nothing of a search is left to chance, ties are "
                  "broken by the candidate's id")
      ->type_name("N")
      ->envname("SUTURE_SEED")
      ->capture_default_str()
      ->group(group);
}

void add_result_options(CLI::App& command, RepairOptions& o) {
  const char* group = "What to do with the result";
  command.add_option("-f,--format", o.format, "Form of the result on standard output")
      ->envname("SUTURE_FORMAT")
      ->check(CLI::IsMember({"text", "json", "patch", "sarif"}))
      ->capture_default_str()
      ->group(group);
  command.add_flag("--apply", o.apply, "Write the best patch into the tree")->group(group);
  command
      .add_flag("--explain", o.explain,
                "Also show places with reasons, all trials, withheld patches")
      ->group(group);
  command.add_option("--events", o.events, "Write what happens as lines of JSON")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace

void add_repair_options(CLI::App& command, RepairOptions& options) {
  add_problem_options(command, options);
  add_check_options(command, options);
  add_search_options(command, options);
  add_result_options(command, options);
  command.footer(
      "Examples:\n"
      "  suture repair --check 'python -m pytest -x tests/test_x.py::test_y'\n"
      "  suture repair --report failure.log\n"
      "  gh issue view 123 | suture repair --report - --check 'python repro.py'\n"
      "  suture repair --check 'python repro.py' --format patch | git apply\n"
      "\n"
      "Your tree is not touched without --apply. Exit codes: `suture help exit-codes`.");
}

}  // namespace suture
