#pragma once

#include <CLI/CLI.hpp>

#include "client/present/global_options.h"
#include "repair/process/process_runner.h"

namespace suture {

/// Adds the subcommand `doctor`. Exit code 0 when repairs can run here, else 5. The references
/// outlive the App.
void add_doctor_command(CLI::App& app, const GlobalOptions& global, ProcessRunner& processes,
                        int& exit_code);

}  // namespace suture
