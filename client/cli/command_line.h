#pragma once

#include <CLI/CLI.hpp>

#include "client/present/global_options.h"

namespace suture {

/// Sets up the App itself: name, description, version and the options of all subcommands.
void add_global_options(CLI::App& app, GlobalOptions& global);

/// Parses and runs the subcommand's callback. Gives an exit code for what ends here (help, version,
/// usage errors: CLI11's own codes become 2), else `exit_code`, which the subcommand has set.
int run_command_line(CLI::App& app, int argc, char** argv, const int& exit_code);

}  // namespace suture
