#include "repair/report/repro_script.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>

#include "repair/base/text.h"
#include "repair/report/traceback.h"

namespace suture::report {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 5> kPython = {"python", "py", "python3", "pycon", "ipython"};
constexpr std::array<std::string_view, 6> kShell = {"bash", "sh",      "shell",
                                                    "zsh",  "console", "shell-session"};

bool looks_like_output(Lines lines) {
  return std::any_of(lines.begin(), lines.end(), [](const LogLine& line) {
    return line.text.find("Traceback (most recent call last)") != line.text.npos ||
           parse_frame_line(line.text) || line.text.starts_with("E   ");
  });
}

/// The text typed at Python's prompts, when the block is a session of it.
std::string typed_at_prompts(Lines lines) {
  std::string typed;
  for (const LogLine& line : lines) {
    bool is_prompt = line.text.starts_with(">>> ") || line.text.starts_with("... ");
    if (is_prompt) typed.append(line.text.substr(4)).append("\n");
    if (line.text == "...") typed += '\n';
  }
  return typed;
}

std::string joined(Lines lines) {
  std::string text;
  for (const LogLine& line : lines) text.append(line.text).append("\n");
  return text;
}

/// Whether code runs by itself: it imports something and starts at the left margin. What lacks that
/// is usually a quotation from the library.
bool is_whole_program(std::string_view code) {
  static const RE2 kImport(R"((?m)^(?:import|from)\s+\w)");
  std::size_t first = code.find_first_not_of('\n');
  if (first == std::string_view::npos || code[first] == ' ' || code[first] == '\t') return false;
  return RE2::PartialMatch(re2::StringPiece(code.data(), code.size()), kImport);
}

std::optional<ReproScript> python_script(Lines lines) {
  if (std::string typed = typed_at_prompts(lines); !typed.empty()) {
    return ReproScript{"python", std::move(typed)};
  }
  if (looks_like_output(lines)) return std::nullopt;
  std::string code = joined(lines);
  if (!is_whole_program(code)) return std::nullopt;
  return ReproScript{"python", std::move(code)};
}

/// Whether a command only prepares: installs, fetches, sets up.
bool is_preparation(std::string_view command) {
  static const RE2 kPrepares(
      R"((?:sudo |python3? -m |!)*(?:pip3?|uv|conda|mamba|apt|apt-get|git|cd|export|source|poetry)\b.*)");
  return is_blank(command) || command.starts_with("#") ||
         RE2::FullMatch(re2::StringPiece(command.data(), command.size()), kPrepares);
}

std::optional<ReproScript> shell_script(Lines lines) {
  if (looks_like_output(lines)) return std::nullopt;
  bool has_prompts = std::any_of(lines.begin(), lines.end(),
                                 [](const LogLine& line) { return line.text.starts_with("$ "); });
  std::string script;
  bool only_prepares = true;
  for (const LogLine& line : lines) {
    std::string_view command = line.text;
    if (has_prompts && !command.starts_with("$ ")) continue;  // output
    if (has_prompts) command.remove_prefix(2);
    only_prepares = only_prepares && is_preparation(trim(command));
    script.append(command).append("\n");
  }
  if (only_prepares) return std::nullopt;
  return ReproScript{"sh", std::move(script)};
}

/// Whether a check may be a run of this command's program.
bool can_be_check(const Check& check) {
  static const RE2 kProgram(
      R"((?:\S*/)?(?:python[\d.]*|pytest|py\.test|torchrun|deepspeed|accelerate|bash|sh|ctest)|\./\S+)");
  static constexpr std::array<std::string_view, 8> kOther = {
      "pip", "venv", "--version", "-V", "install", "setup.py", "ensurepip", "virtualenv"};
  // A shell line is judged by its text; one that prepares and then runs is still a check.
  bool is_shell_line =
      check.command.size() == 3 && check.command[1] == "-c" && check.command[0] == "sh";
  std::string program =
      is_shell_line ? check.command[2].substr(0, check.command[2].find(' ')) : check.command[0];
  if (!RE2::FullMatch(program, kProgram) || check.command.size() < 2) {
    return program.ends_with("pytest") && RE2::FullMatch(program, kProgram);
  }
  return std::none_of(check.command.begin() + 1, check.command.end(),
                      [](const std::string& word) { return is_one_of(word, kOther); });
}

std::optional<NamedCommand> named(std::string_view command, std::size_t line) {
  auto check = parse_check(command);
  if (!check || !can_be_check(*check)) return std::nullopt;
  return NamedCommand{std::move(*check), line};
}

}  // namespace

std::optional<ReproScript> script_of_fence(const Fence& fence, Lines lines) {
  lines = lines.subspan(fence.first, fence.last - fence.first);
  if (is_one_of(fence.language, kPython)) return python_script(lines);
  if (is_one_of(fence.language, kShell)) return shell_script(lines);
  // Without a language a block is as likely output; only code that imports is taken for a script.
  return fence.language.empty() ? python_script(lines) : std::nullopt;
}

std::optional<NamedCommand> command_said_to_fail(const LogLine& line) {
  static const RE2 kSaid(
      R"(`([^`]+)` (?:fails|failed|crashes|crashed|hangs|breaks|errors out|exits with)\b)");
  if (line.text.find("` ") == line.text.npos) return std::nullopt;
  std::string command;
  if (!RE2::PartialMatch(re2::StringPiece(line.text.data(), line.text.size()), kSaid, &command)) {
    return std::nullopt;
  }
  return named(command, line.number);
}

std::optional<NamedCommand> command_at_prompt(const LogLine& line) {
  static const RE2 kPrompt(R"((?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+:?\S*)?\$ (\S.*))");
  if (line.text.find("$ ") == line.text.npos) return std::nullopt;
  std::string command;
  if (line.text.size() > 4000 ||
      !RE2::FullMatch(re2::StringPiece(line.text.data(), line.text.size()), kPrompt, &command)) {
    return std::nullopt;
  }
  return named(command, line.number);
}

}  // namespace suture::report
