#include "client/cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "repair/base/text.h"

namespace suture {
namespace {

/// What a shell has to know of an option.
struct OptionWords {
  std::vector<std::string> names;   ///< "-c", "--check"
  std::vector<std::string> values;  ///< the words it takes; empty: any
  std::string description;
  enum class Value { kNone, kText, kFile, kFolder } value = Value::kNone;
};

/// A command and what may follow it.
struct CommandWords {
  std::vector<std::string> path;  ///< "suture", "patterns", "list"
  std::string description;
  std::vector<CommandWords> subcommands;
  std::vector<OptionWords> options;
  std::vector<std::string> operands;  ///< words that a positional argument may be
};

/// The words of "TEXT:{a,b}", which is how CLI11 shows a choice.
std::vector<std::string> choices_of(const std::string& type_name) {
  std::size_t open = type_name.find('{');
  std::size_t close = type_name.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return split(type_name.substr(open + 1, close - open - 1), ',');
}

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  words.description = option.get_description();
  std::string type = option.get_type_name();
  words.values = choices_of(type);
  if (option.get_items_expected_max() > 0) {
    words.value = type.starts_with("FILE")  ? OptionWords::Value::kFile
                  : type.starts_with("DIR") ? OptionWords::Value::kFolder
                                            : OptionWords::Value::kText;
  }
  return words;
}

CommandWords words_of(const CLI::App& app, std::vector<std::string> path) {
  CommandWords words{path, app.get_description(), {}, {}, {}};
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name().empty() || sub->get_group().empty()) continue;  // hidden
    std::vector<std::string> longer = path;
    longer.push_back(sub->get_name());
    words.subcommands.push_back(words_of(*sub, std::move(longer)));
  }
  for (const CLI::Option* option : app.get_options()) {
    OptionWords read = words_of(*option);
    if (read.names.empty()) {
      words.operands.insert(words.operands.end(), read.values.begin(), read.values.end());
    } else if (!option->get_group().empty()) {
      words.options.push_back(std::move(read));
    }
  }
  return words;
}

/// Every command below and including this one.
void flatten(const CommandWords& command, std::vector<const CommandWords*>& all) {
  all.push_back(&command);
  for (const CommandWords& sub : command.subcommands) flatten(sub, all);
}

std::vector<const CommandWords*> flat(const CommandWords& root) {
  std::vector<const CommandWords*> all;
  flatten(root, all);
  return all;
}

std::string in_quotes(std::string_view text) {
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

std::vector<std::string> next_words(const CommandWords& command) {
  std::vector<std::string> words;
  for (const CommandWords& sub : command.subcommands) words.push_back(sub.path.back());
  words.insert(words.end(), command.operands.begin(), command.operands.end());
  for (const OptionWords& option : command.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

std::string joined_path(const CommandWords& command, std::string_view separator) {
  return join(command.path, separator);
}

// --- bash
// ------------------------------------------------------------------------------------------------------

/// "'suture repair'/--check|'suture repair'/-c": a pattern of `case`.
std::string bash_case(const CommandWords& command, const OptionWords& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names)
    patterns.push_back(in_quotes(joined_path(command, " ") + "/" + name));
  return join(patterns, "|");
}

std::string bash_values(const OptionWords& option) {
  if (!option.values.empty()) {
    return fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\"))",
                       in_quotes(join(option.values, " ")));
  }
  switch (option.value) {
    case OptionWords::Value::kFile:
      return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\"))";
    case OptionWords::Value::kFolder:
      return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$word\"))";
    default:
      return "COMPREPLY=()";
  }
}

std::string bash_script(const CommandWords& root) {
  std::vector<const CommandWords*> commands = flat(root);
  std::string names, values, words;
  for (const CommandWords* command : commands) {
    std::string path = joined_path(*command, " ");
    for (const CommandWords& sub : command->subcommands) {
      names += fmt::format("      {}) path={} ;;\n", in_quotes(path + "/" + sub.path.back()),
                           in_quotes(joined_path(sub, " ")));
    }
    for (const OptionWords& option : command->options) {
      if (option.value == OptionWords::Value::kNone) continue;
      values +=
          fmt::format("    {}) {}; return ;;\n", bash_case(*command, option), bash_values(option));
    }
    words += fmt::format("    {}) words={} ;;\n", in_quotes(path),
                         in_quotes(join(next_words(*command), " ")));
  }
  return fmt::format(
      R"(# bash completion for suture; load it with: source <(suture completion bash)
_suture() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} path=suture words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/${{COMP_WORDS[i]}}" in
{}    esac
  done
  case "$path/$previous" in
{}  esac
  case "$path" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -F _suture suture
)",
      names, values, words);
}

// --- zsh
// -------------------------------------------------------------------------------------------------------

/// Text inside a specification of _arguments: colons and brackets mean something there.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (std::string_view(":[]\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_values(const OptionWords& option) {
  if (!option.values.empty()) return ":value:(" + join(option.values, " ") + ")";
  switch (option.value) {
    case OptionWords::Value::kNone:
      return "";
    case OptionWords::Value::kText:
      return ":value: ";
    case OptionWords::Value::kFile:
      return ":file:_files";
    case OptionWords::Value::kFolder:
      return ":folder:_files -/";
  }
  return "";
}

std::string zsh_function(const CommandWords& command) {
  std::string body;
  for (const OptionWords& option : command.options) {
    for (const std::string& name : option.names) {
      body += fmt::format(" \\\n    {}",
                          in_quotes(fmt::format("*{}[{}]{}", name, zsh_text(option.description),
                                                zsh_values(option))));
    }
  }
  std::string cases, list;
  for (const CommandWords& sub : command.subcommands) {
    list += fmt::format("      {}\n", in_quotes(zsh_text(sub.path.back()) + ":" + sub.description));
    cases += fmt::format("        {}) _{} ;;\n", sub.path.back(), joined_path(sub, "_"));
  }
  if (!command.operands.empty())
    body += fmt::format(" \\\n    {}", in_quotes("1:word:(" + join(command.operands, " ") + ")"));
  if (cases.empty())
    return fmt::format("_{}() {{\n  _arguments -s{}\n}}\n\n", joined_path(command, "_"), body);
  return fmt::format(
      R"(_{}() {{
  local context state state_descr line
  typeset -A opt_args
  _arguments -C -s{} \
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      local commands=(
{}      )
      _describe command commands ;;
    rest)
      case $line[1] in
{}      esac ;;
  esac
}}

)",
      joined_path(command, "_"), body, list, cases);
}

std::string zsh_script(const CommandWords& root) {
  std::string text =
      "#compdef suture\n# zsh completion for suture; put it as _suture into a folder of $fpath\n\n";
  std::vector<const CommandWords*> commands = flat(root);
  for (const CommandWords* command : commands) text += zsh_function(*command);
  return text +
         "if [ \"$funcstack[1]\" = _suture ]; then _suture \"$@\"; else compdef _suture suture; "
         "fi\n";
}

// --- fish
// ------------------------------------------------------------------------------------------------------

/// The condition under which a command's words are offered.
std::string fish_condition(const CommandWords& command) {
  std::vector<std::string> conditions;
  for (std::size_t i = 1; i < command.path.size(); ++i) {
    conditions.push_back("__fish_seen_subcommand_from " + command.path[i]);
  }
  std::vector<std::string> further;
  for (const CommandWords& sub : command.subcommands) further.push_back(sub.path.back());
  if (!further.empty())
    conditions.push_back("not __fish_seen_subcommand_from " + join(further, " "));
  return join(conditions, "; and ");
}

std::string fish_values(const OptionWords& option) {
  if (!option.values.empty()) return " -x -a " + in_quotes(join(option.values, " "));
  switch (option.value) {
    case OptionWords::Value::kNone:
      return "";
    case OptionWords::Value::kText:
      return " -x";
    case OptionWords::Value::kFile:
      return " -r -F";
    case OptionWords::Value::kFolder:
      return " -x -a '(__fish_complete_directories)'";
  }
  return "";
}

std::string fish_lines(const CommandWords& command) {
  std::string condition = fish_condition(command);
  std::string start =
      "complete -c suture" + (condition.empty() ? "" : " -n " + in_quotes(condition));
  std::string text;
  for (const CommandWords& sub : command.subcommands) {
    text += fmt::format("{} -f -a {} -d {}\n", start, sub.path.back(), in_quotes(sub.description));
  }
  if (!command.operands.empty())
    text += fmt::format("{} -f -a {}\n", start, in_quotes(join(command.operands, " ")));
  for (const OptionWords& option : command.options) {
    std::string names;
    for (const std::string& name : option.names) {
      names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    text += fmt::format("{}{}{} -d {}\n", start, names, fish_values(option),
                        in_quotes(option.description));
  }
  return text;
}

std::string fish_script(const CommandWords& root) {
  std::string text =
      "# fish completion for suture; load it with: suture completion fish | source\n";
  std::vector<const CommandWords*> commands = flat(root);
  for (const CommandWords* command : commands) text += fish_lines(*command);
  return text;
}

}  // namespace

std::optional<Shell> shell_from(std::string_view word) {
  if (word == "bash") return Shell::kBash;
  if (word == "zsh") return Shell::kZsh;
  if (word == "fish") return Shell::kFish;
  return std::nullopt;
}

std::string completion_script(const CLI::App& app, Shell shell) {
  CommandWords root = words_of(app, {"suture"});
  switch (shell) {
    case Shell::kBash:
      return bash_script(root);
    case Shell::kZsh:
      return zsh_script(root);
    case Shell::kFish:
      return fish_script(root);
  }
  return {};
}

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->add_option("shell", *shell, "Which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "Examples:\n"
      "  source <(suture completion bash)\n"
      "  suture completion zsh > ~/.zfunc/_suture\n"
      "  suture completion fish > ~/.config/fish/completions/suture.fish");
  command->callback(
      [shell, &app] { std::cout << completion_script(app, *shell_from(*shell)) << std::flush; });
}

}  // namespace suture
