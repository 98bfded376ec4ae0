#pragma once

#include <CLI/CLI.hpp>

#include "client/eval/eval_command.h"

namespace suture {

/// Adds `suture fit`: fits the ranking weights to recorded candidates of historical bugs, and
/// prints how well they rank bugs of projects that they were not fitted on. Exit codes as for
/// `eval`.
void add_fit_command(CLI::App& app, EvalProgram program);

}  // namespace suture
