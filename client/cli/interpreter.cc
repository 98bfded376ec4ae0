#include "client/cli/interpreter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <system_error>

#include "repair/base/text.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kPatience{30};

/// -I: neither the current folder nor PYTHON* variables may change the answer.
constexpr const char* kQuestion =
    "import sys; print(sys.executable); print('%d.%d.%d' % sys.version_info[:3])";

bool is_executable(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec) && access(path.c_str(), X_OK) == 0;
}

std::string value_of(const std::map<std::string, std::string>& environment,
                     const std::string& name) {
  auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

/// The program of an environment's folder ("venv", "/usr"); empty when there is none.
fs::path python_of_environment(const fs::path& folder) {
  for (const char* name : {"python3", "python"}) {
    if (is_executable(folder / "bin" / name)) return folder / "bin" / name;
  }
  return {};
}

fs::path program_of_wish(const InterpreterSearch& search) {
  std::error_code ec;
  bool is_name = search.wish.find('/') == std::string::npos;
  if (is_name) {
    fs::path found = find_program(search.wish, value_of(search.environment, "PATH"));
    if (!found.empty()) return found;
  }
  fs::path path = fs::absolute(search.wish, ec);
  if (fs::is_directory(path, ec)) return python_of_environment(path);
  return is_executable(path) ? path : fs::path();
}

fs::path usual_program(const InterpreterSearch& search) {
  std::string active = value_of(search.environment, "VIRTUAL_ENV");
  for (const fs::path& folder : {fs::path(active), search.tree / ".venv"}) {
    fs::path found = folder.empty() ? fs::path() : python_of_environment(folder);
    if (!found.empty()) return found;
  }
  return find_program("python3", value_of(search.environment, "PATH"));
}

std::optional<Interpreter> read_answer(const std::string& answer) {
  std::vector<std::string_view> lines = split_lines(answer);
  if (lines.size() != 2) return std::nullopt;
  Interpreter interpreter;
  interpreter.path = std::string(lines[0]);
  int read = std::sscanf(std::string(lines[1]).c_str(), "%d.%d.%d", &interpreter.major,
                         &interpreter.minor, &interpreter.micro);
  if (read != 3 || !interpreter.path.is_absolute()) return std::nullopt;
  return interpreter;
}

Result<Interpreter> ask(const fs::path& program, const InterpreterSearch& search,
                        ProcessRunner& processes, const CancelToken& cancel) {
  ProcessSpec spec;
  spec.argv = {program.string(), "-I", "-B", "-c", kQuestion};
  spec.env = search.environment;
  spec.cwd = "/";
  spec.limits.wall = kPatience;
  ProcessResult result = processes.run(spec, cancel);
  if (result.ending == Ending::kCancelled) return fail(ErrorKind::kCancelled, "interrupted");
  if (result.ending == Ending::kExited && result.code == 0) {
    if (auto interpreter = read_answer(result.out)) return *interpreter;
  }
  std::string_view said =
      trim(result.ending == Ending::kStartFailed ? result.error : result.output);
  return fail(ErrorKind::kNotFound,
              fmt::format("{} does not work as a Python 3 interpreter", program.string()),
              fmt::format("asked for its version it said: {}",
                          said.empty() ? "nothing" : elide_middle(said, 300)));
}

}  // namespace

std::string Interpreter::version() const { return fmt::format("{}.{}.{}", major, minor, micro); }

Result<Interpreter> find_interpreter(const InterpreterSearch& search, ProcessRunner& processes,
                                     const CancelToken& cancel) {
  fs::path program = search.wish.empty() ? usual_program(search) : program_of_wish(search);
  if (!program.empty()) return ask(program, search, processes, cancel);
  if (!search.wish.empty()) {
    return fail(
        ErrorKind::kNotFound, fmt::format("no Python interpreter at {}", search.wish),
        "give a program, a name on PATH, or the folder of a virtual environment with --python");
  }
  return fail(ErrorKind::kInfra, "no python3 on PATH, no $VIRTUAL_ENV and no .venv in the tree",
              "name the interpreter of the check with --python");
}

fs::path find_program(const std::string& name, const std::string& search_path) {
  for (const std::string& folder : split(search_path, ':')) {
    if (folder.empty()) continue;
    fs::path path = fs::path(folder) / name;
    if (is_executable(path)) return path;
  }
  return {};
}

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

}  // namespace suture
