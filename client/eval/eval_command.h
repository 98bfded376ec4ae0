#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "client/present/global_options.h"

namespace suture {

/// What the command needs of the program around it. The references outlive the App.
struct EvalProgram {
  const GlobalOptions& global;
  std::string version;  ///< "0.1.0"
  int& exit_code;       ///< set when `eval` or `eval-one` has run
};

/// Adds the subcommand `eval` to the App, and the hidden `eval-one`, by which an evaluation starts
/// the process of one bug. They run from CLI11's callbacks, and what they come to is in
/// `exit_code`: 0 all chosen bugs have a line, 2 usage or bad data set, 5 infrastructure (the
/// result file cannot be written, or nothing but INFRA_ERROR came out), 130 interrupted.
void add_eval_command(CLI::App& app, EvalProgram program);

}  // namespace suture
