#pragma once

#include <CLI/CLI.hpp>

#include "client/present/global_options.h"
#include "repair/base/clock.h"

namespace suture {

/// `suture scan`: what is wrong by the code alone, without a failing check.
void add_scan_command(CLI::App& app, const GlobalOptions& global, const Clock& clock,
                      int& exit_code);

}  // namespace suture
