#include "client/cli/command_line.h"

#include <fmt/format.h>

#include <iostream>

#include "client/cli/exit_code.h"
#include "client/cli/version.h"
#include "repair/base/text.h"

namespace suture {
namespace {

/// The subcommand that the user has got to: its --help is the one to name.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

/// The option or subcommand that a misspelt word most likely means; empty when none is near.
std::string nearest(const CLI::App& command, const std::string& word) {
  std::string best;
  std::size_t limit = 3;
  auto consider = [&](const std::string& name) {
    std::size_t distance = edit_distance(word, name);
    if (distance < limit) {
      limit = distance;
      best = name;
    }
  };
  for (const CLI::App* at = &command; at != nullptr; at = at->get_parent()) {
    for (const CLI::Option* option : at->get_options()) {
      for (const std::string& name : option->get_lnames()) consider("--" + name);
    }
    for (const CLI::App* sub : at->get_subcommands([](const CLI::App*) { return true; })) {
      if (!sub->get_group().empty()) consider(sub->get_name());
    }
  }
  return best;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  std::string message = error.what();
  std::string hint;
  if (std::vector<std::string> rest = app.remaining(true); !rest.empty()) {
    message = fmt::format("unknown {} '{}'", rest.front().starts_with('-') ? "option" : "word",
                          rest.front());
    std::string meant = nearest(command, rest.front().substr(0, rest.front().find('=')));
    if (!meant.empty()) hint = fmt::format("did you mean {}? ", meant);
  }
  hint += fmt::format("`{} --help` lists what there is", full_name(command));
  return report_error(Error{ErrorKind::kUsage, message, hint});
}

}  // namespace

void add_global_options(CLI::App& app, GlobalOptions& global) {
  app.name("suture");
  app.description(
      "suture closes small wounds: it finds and proves patches of a few lines for failing Python "
      "and C++ code.");
  app.require_subcommand(1);
  app.fallthrough();
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag("--version", "suture " + version(), "Show the version");
  app.add_flag_callback(
      "-q,--quiet", [&] { global.verbosity = Verbosity::kQuiet; }, "No progress, no notes");
  app.add_flag_callback(
      "-v,--verbose", [&] { global.verbosity = Verbosity::kVerbose; },
      "Everything that happens, a line each");
  app.add_flag_callback(
      "--no-color", [&] { global.colour = ColourWish::kNever; },
      "No colour, whatever the terminal");
  app.footer("`suture help` lists further topics: exit codes, formats, environment, patterns.");
}

int run_command_line(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)
      return app.exit(error, std::cout, std::cerr);  // --help, --version
    return usage_error(app, error);
  }
  return exit_code;
}

}  // namespace suture
