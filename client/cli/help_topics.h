#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// A page of `suture help`. README quotes from these; they are the source.
struct HelpTopic {
  std::string_view name, summary, text;
};

const std::vector<HelpTopic>& help_topics();

/// Adds the subcommand `help [topic | command]`.
void add_help_command(CLI::App& app, int& exit_code);

}  // namespace suture
