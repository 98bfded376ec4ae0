#include "client/cli/check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace suture {
namespace fs = std::filesystem;
namespace {

bool is_path(const std::string& word) { return word.find('/') != std::string::npos; }

/// Options of pytest and python whose value is the next word.
bool takes_value(std::string_view word) {
  constexpr std::string_view options[] = {
      "-k",           "-m",         "-p",         "-c",        "-o",         "-W",
      "-n",           "-X",         "-r",         "--ignore",  "--deselect", "--rootdir",
      "--confcutdir", "--basetemp", "--junitxml", "--maxfail", "--tb"};
  return std::ranges::find(options, word) != std::end(options);
}

/// The words of a python command line after the interpreter, told apart.
struct PythonWords {
  std::string module;  ///< of -m
  std::string script;  ///< when there is neither -m nor -c
  std::vector<std::string> arguments;
};

PythonWords read_python_words(const std::vector<std::string>& command) {
  PythonWords words;
  std::size_t i = 1;
  for (; i < command.size() && command[i].starts_with('-'); ++i) {
    if (command[i] == "-c" || command[i] == "-") return words;
    if (command[i] == "-m") {
      if (i + 1 < command.size()) words.module = command[i + 1];
      words.arguments.assign(command.begin() + std::min(i + 2, command.size()), command.end());
      return words;
    }
    if (takes_value(command[i])) ++i;
  }
  if (i < command.size()) words.script = command[i];
  return words;
}

Status find_file(const std::string& name, const fs::path& tree, std::string_view what) {
  std::error_code ec;
  if (fs::exists(tree / name, ec)) return {};
  return fail(ErrorKind::kNotFound,
              fmt::format("check not found: no {} {} in {}", what, name, tree.string()),
              "checks run in the folder of --repo");
}

Status find_test_files(const std::vector<std::string>& arguments, const fs::path& tree) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (takes_value(argument)) {
      ++i;
      continue;
    }
    std::string file = argument.substr(0, argument.find("::"));
    if (!argument.starts_with('-') && file.ends_with(".py"))
      TRY_STATUS(find_file(file, tree, "test file"));
  }
  return {};
}

Status find_program_of(const std::string& program, const fs::path& tree,
                       const std::string& search_path) {
  if (is_path(program)) {
    TRY_STATUS(find_file(program, tree, "program"));
    if (access((tree / program).c_str(), X_OK) == 0) return {};
    return fail(ErrorKind::kNotFound, fmt::format("check not found: {} is not executable", program),
                "put the program that runs it in front: 'python FILE' or 'sh FILE'");
  }
  if (!find_program(program, search_path).empty()) return {};
  return fail(ErrorKind::kNotFound,
              fmt::format("check not found: no program {} on the PATH of checks", program),
              fmt::format("that PATH is {}", search_path));
}

}  // namespace

std::string interpreter_named_by(const Check& check, const fs::path& tree) {
  if (check.command.empty()) return {};
  const std::string& program = check.command.front();
  if (!is_python(fs::path(program).filename().string())) return {};
  if (is_path(program)) return (tree / program).lexically_normal().string();
  return program.find('.') != std::string::npos ? program : std::string();
}

Check with_interpreter(Check check, const Interpreter& interpreter) {
  if (check.command.empty() || is_path(check.command.front())) return check;
  std::string& program = check.command.front();
  fs::path namesake = interpreter.path.parent_path() / program;
  std::error_code ec;
  if (is_python(program) && !fs::equivalent(namesake, interpreter.path, ec)) {
    program = interpreter.path.string();
  } else if (is_pytest(program) && !fs::exists(namesake, ec)) {
    program = interpreter.path.string();
    check.command.insert(check.command.begin() + 1, {"-m", "pytest"});
  }
  return check;
}

Status find_parts_of(const Check& check, const fs::path& tree, const std::string& search_path) {
  if (check.command.empty()) return fail(ErrorKind::kUsage, "the check is empty");
  const std::string& program = check.command.front();
  TRY_STATUS(find_program_of(program, tree, search_path));
  std::string name = fs::path(program).filename().string();
  if (is_pytest(name))
    return find_test_files({check.command.begin() + 1, check.command.end()}, tree);
  if (!is_python(name)) return {};
  PythonWords words = read_python_words(check.command);
  if (words.module == "pytest") return find_test_files(words.arguments, tree);
  return words.script.empty() ? Status{} : find_file(words.script, tree, "script");
}

}  // namespace suture
