#include "client/cli/help_topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "client/cli/exit_code.h"

namespace suture {
namespace {

constexpr std::string_view kExitCodes = R"(Exit codes

    0  a patch was found (PATCHED); also: whatever else you asked for worked
    1  no patch (NO_PATCH): the reason is in the result; also: `suture scan` has findings left
    2  wrong usage or bad input: an option, a file, a report, a pattern, a check that is not there;
       also when --apply finds that a file was edited meanwhile
    3  the failure could not be reproduced: the check passes here (NOT_REPRODUCED), or it passes
       sometimes (FLAKY_CHECK)
    4  no patch but an advice: another version of something is needed (ENVIRONMENT)
    5  this machine could not do it (INFRA_ERROR): no sandbox, no room, no interpreter;
       `suture doctor` says more
    6  nothing that suture can do: no check was given or found (NO_CHECK), or it is of a kind that is
       not supported (UNSUPPORTED)
   70  a defect of suture itself: please report it
  130  interrupted by Ctrl-C (CANCELLED); a second Ctrl-C ends at once

Words in capitals are the key "outcome" of --format json.
)";

constexpr std::string_view kFormats = R"(Formats of a result (suture repair --format ...)

  text   For people: outcome, diff, cause, confidence, what was rerun, cost, next step.
         --explain adds every suspicious place with its reasons, the table of trials, and the diffs of
         patches that were withheld. Coloured on a terminal only; `suture help environment` says how to
         change that.

  json   One document with everything. "schema_version" is 1 and changes when the meaning of a key does;
         new keys may come. What differs between two runs with one seed (times, check runs made ahead)
         is under "costs": leave it out to compare results:
             suture repair ... --budget '200 runs' --format json | jq 'del(.costs)'

  patch  The best patch alone, as a unified diff; nothing when there is none.
             suture repair ... --format patch | git apply

  sarif  SARIF 2.1.0 for code scanning and editors: a rule for each pattern, a result with a fix for each
         patch. Without a patch the reason is a notification.

The result goes to standard output, progress and notes to standard error (-q: none of them).
--events FILE writes what happens as lines of JSON while it happens.
)";

constexpr std::string_view kEnvironment = R"(Environment variables

  Defaults of options (an option on the command line wins):
    SUTURE_REPO, SUTURE_PYTHON, SUTURE_TIMEOUT, SUTURE_BUDGET, SUTURE_JOBS, SUTURE_CONFIDENCE,
    SUTURE_PATTERNS, SUTURE_SEED, SUTURE_FORMAT

  Places:
    SUTURE_SHARE     folder with patterns/ and probe/, in place of the installed one
    TMPDIR           where temporary folders are made; default /tmp
    VIRTUAL_ENV      its interpreter runs the checks unless --python names another;
                     after it come .venv in the tree and python3 on PATH

  Colour, first match wins:
    --no-color, NO_COLOR (not empty)   never
    CLICOLOR_FORCE (not 0)             always
    output is no terminal, TERM=dumb, CLICOLOR=0   no

  Checks see none of your variables: they get a small environment of their own, so that secrets stay
  outside and runs are alike. --env NAME=VALUE sets one for checks, --env NAME passes yours on.
)";

constexpr std::string_view kPatterns = R"(Patterns

A pattern is a YAML file: when it is plausible (what failed), what code it looks for, what may fill its
holes, and how it rewrites the code. Nothing needs to be compiled.

  suture patterns list              all patterns with family and summary
  suture patterns show guard-none   one of them, with its reasons
  suture patterns new ID            a file to start from
  suture patterns test DIR          runs the tests that stand in the pattern files

  suture repair --patterns DIR ...          use your own besides the built-in ones
  suture repair --only guard-none,imports   only these patterns or families
  suture repair --exclude FAMILY            all but these
  suture scan                               those that need no failure (`scan` in their file)

A pattern file with a mistake stops suture at the start, with file, line, column and a hint.
)";

std::string overview() {
  std::string text = "Topics for `suture help`:\n\n";
  for (const HelpTopic& topic : help_topics())
    text += fmt::format("  {:<12} {}\n", topic.name, topic.summary);
  return text + "\n`suture help COMMAND` is the same as `suture COMMAND --help`.\n";
}

/// Null when there is none of that name.
const CLI::App* subcommand(const CLI::App& app, const std::string& name) {
  auto found = app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

int show_help(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) {
    // App::help would give the help of the subcommand `help`, since that is the one that was
    // parsed.
    std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal)
              << '\n'
              << overview();
    return kExitPatched;
  }
  auto topic = std::ranges::find(help_topics(), words.front(), &HelpTopic::name);
  if (topic != help_topics().end()) {
    std::cout << topic->text;
    return kExitPatched;
  }
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    command = subcommand(*command, word);
    if (command == nullptr) {
      std::cerr << "suture: no help for '" << word << "'\n" << overview();
      return kExitUsage;
    }
  }
  std::cout << command->help();
  return kExitPatched;
}

}  // namespace

const std::vector<HelpTopic>& help_topics() {
  static const std::vector<HelpTopic> topics{
      {"exit-codes", "what the exit code of suture means", kExitCodes},
      {"formats", "forms of a result: text, json, patch, sarif", kFormats},
      {"environment", "variables that suture looks at, and what checks see", kEnvironment},
      {"patterns", "where fixes come from, and how to add your own", kPatterns},
  };
  return topics;
}

void add_help_command(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      app.add_subcommand("help", "Help on a command or a topic: exit-codes, formats, ...");
  std::string choices;
  for (const HelpTopic& topic : help_topics())
    choices += (choices.empty() ? "" : ",") + std::string(topic.name);
  // The type name is where completion finds the words.
  command->add_option("topic", *words, "Topic or command")->type_name("{" + choices + "}");
  command->callback([words, &app, &exit_code] { exit_code = show_help(app, *words); });
}

}  // namespace suture
