#pragma once

#include <CLI/CLI.hpp>

#include "client/present/global_options.h"

namespace suture {

/// Adds `suture patterns list|show|test|new|reference|schema`. Exit codes: 0, or 1 when a test of a
/// pattern fails, 2 for a bad pattern file or an unknown id. The references outlive the App.
void add_patterns_command(CLI::App& app, const GlobalOptions& global, int& exit_code);

}  // namespace suture
