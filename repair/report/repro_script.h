#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "repair/report/log_line.h"
#include "repair/report/markdown.h"
#include "repair/report/report.h"

namespace suture::report {

/// The script that a fenced block holds: Python code (also as typed at ">>> " prompts) or shell
/// commands. Nothing for output, excerpts of other people's code and mere installation commands.
std::optional<ReproScript> script_of_fence(const Fence& fence, Lines lines);

/// A command that the text says fails, and on which line (0-based).
struct NamedCommand {
  Check check;
  std::size_t line = 0;
};

/// The command in "`python repro.py` fails" or "Running `pytest x.py` crashes".
std::optional<NamedCommand> command_said_to_fail(const LogLine& line);

/// The command typed at a "$ " prompt, when it runs a program that a check may be.
std::optional<NamedCommand> command_at_prompt(const LogLine& line);

}  // namespace suture::report
