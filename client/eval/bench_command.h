#pragma once

#include <CLI/CLI.hpp>

#include "client/eval/eval_command.h"

namespace suture {

/// Adds `suture bench` with its subcommands: `validate` runs the candidates of sampled bugs through
/// every tier and afresh, and prints how fast each tier is and how often it is right; `switch`
/// prints which conditions turn the check of a bug green when they are forced. Exit codes as for
/// `eval`.
void add_bench_command(CLI::App& app, EvalProgram program);

}  // namespace suture
