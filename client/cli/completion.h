#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace suture {

enum class Shell { kBash, kZsh, kFish };
std::optional<Shell> shell_from(std::string_view word);

/// A completion script made from the App as it is: subcommands (two levels), their options, the
/// words an option may have, files and folders. Options whose type name is FILE or DIR complete
/// paths.
std::string completion_script(const CLI::App& app, Shell shell);

/// Adds the subcommand `completion bash|zsh|fish`. Add it last: it prints what is in `app` when it
/// runs.
void add_completion_command(CLI::App& app);

}  // namespace suture
