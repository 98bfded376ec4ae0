#pragma once

#include <CLI/CLI.hpp>

#include "client/eval/eval_command.h"

namespace suture {

/// Adds `suture calibrate`: fits confidence to patches that were read, and tells what it is worth
/// on patches for projects that it was not fitted to. Exit codes as for `eval`.
void add_calibrate_command(CLI::App& app, EvalProgram program);

}  // namespace suture
