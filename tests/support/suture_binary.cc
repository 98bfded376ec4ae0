#include "tests/support/suture_binary.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "repair/base/digest.h"
#include "repair/base/file.h"
#include "tests/support/shell.h"

namespace suture::testing {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  }
  ~Pipe() {
    for (int& end : ends) shut(end);
  }
  static void shut(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

[[noreturn]] void become_suture(const std::vector<std::string>& words, const BinaryOptions& options,
                                const fs::path& cache, Pipe& in, Pipe& out, Pipe& err) {
  dup2(in.ends[0], STDIN_FILENO);
  dup2(out.ends[1], STDOUT_FILENO);
  dup2(err.ends[1], STDERR_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  for (const auto& [name, value] : options.env) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  if (chdir(options.folder.c_str()) != 0) _exit(125);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(126);
}

/// Reads what is there; closes the end at the end of file.
void drain(int& end, std::string& text) {
  char buffer[1 << 16];
  ssize_t got = read(end, buffer, sizeof buffer);
  if (got > 0) {
    text.append(buffer, std::size_t(got));
  } else if (got == 0 || errno != EINTR) {
    Pipe::shut(end);
  }
}

void feed(int& end, std::string_view& rest) {
  ssize_t written = rest.empty() ? 0 : ::write(end, rest.data(), rest.size());
  if (written > 0) rest.remove_prefix(std::size_t(written));
  if (rest.empty() || (written < 0 && errno != EAGAIN && errno != EINTR)) Pipe::shut(end);
}

std::string describe(const fs::path& path) {
  struct stat info {};
  lstat(path.c_str(), &info);
  std::ostringstream line;
  line << std::oct << info.st_mode << std::dec << ' ' << info.st_size << ' ' << info.st_mtim.tv_sec
       << '.' << info.st_mtim.tv_nsec << ' ';
  if (S_ISLNK(info.st_mode)) line << fs::read_symlink(path).string();
  if (S_ISREG(info.st_mode)) line << sha256(slurp(path));
  return line.str();
}

}  // namespace

BinaryRun run_suture(const std::vector<std::string>& arguments, const BinaryOptions& options) {
  std::vector<std::string> words = options.wrapper;
  words.push_back(SUTURE_BINARY);
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::signal(SIGPIPE, SIG_IGN);  // suture may end without reading all of its input

  auto start = SteadyClock::now();
  // Neither the user's cache nor an earlier run's is part of a test.
  Result<TemporaryFolder> cache = TemporaryFolder::make("suture-test-cache-");
  if (!cache) std::abort();
  Pipe in, out, err;
  pid_t pid = fork();
  if (pid == 0) become_suture(words, options, cache->path(), in, out, err);
  Pipe::shut(in.ends[0]);
  Pipe::shut(out.ends[1]);
  Pipe::shut(err.ends[1]);
  fcntl(in.ends[1], F_SETFL, O_NONBLOCK);

  BinaryRun run;
  std::string_view rest = options.input;
  feed(in.ends[1], rest);
  int status = 0;
  bool ended = false;
  while (!ended || out.ends[0] >= 0 || err.ends[0] >= 0) {
    if (SteadyClock::now() - start > options.patience) kill(pid, SIGKILL);
    if (options.meanwhile && !ended) options.meanwhile(pid);
    pollfd ends[] = {{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
    poll(ends, 3, 20);
    if (ends[0].revents != 0) feed(in.ends[1], rest);
    if (ends[1].revents != 0) drain(out.ends[0], run.out);
    if (ends[2].revents != 0) drain(err.ends[0], run.err);
    if (!ended && waitpid(pid, &status, WNOHANG) == pid) ended = true;
  }
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
  return run;
}

std::string state_of(const fs::path& folder) {
  std::vector<std::string> lines;
  lines.push_back(". " + describe(folder));
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    lines.push_back(entry.path().lexically_relative(folder).string() + " " +
                    describe(entry.path()));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<int> processes_with(const std::string& text) {
  std::vector<int> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string line = slurp(entry.path() / "cmdline");
    if (line.find(text) != std::string::npos && std::stoi(name) != getpid())
      found.push_back(std::stoi(name));
  }
  return found;
}

BrokenTree::BrokenTree() : folder_(std::move(*TemporaryFolder::make("suture-cli-test-"))) {
  fs::create_directories(tmp());
  fs::create_directories(beside());
  write("pkg/__init__.py", "");
  write("pkg/lookup.py",
        "def name_of(table, key):\n"
        "    entry = table.get(key)\n"
        "    return entry.name\n");
  write("check.py",
        "from pkg.lookup import name_of\n"
        "\n"
        "assert name_of({}, 'missing') is None\n");
}

void BrokenTree::write(const std::string& path, std::string_view content) const {
  testing::write(tree() / path, content);
}

std::string BrokenTree::read(const std::string& path) const { return slurp(tree() / path); }

BinaryRun BrokenTree::repair(const std::vector<std::string>& arguments,
                             BinaryOptions options) const {
  std::vector<std::string> all{"--check", "python check.py"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return repair_without_check(all, std::move(options));
}

BinaryRun BrokenTree::repair_without_check(const std::vector<std::string>& arguments,
                                           BinaryOptions options) const {
  options.env.emplace("TMPDIR", tmp().string());
  options.env.emplace("VIRTUAL_ENV", "");
  std::vector<std::string> all{"repair", "--repo", tree().string()};
  if (std::ranges::find(arguments, "--python") == arguments.end()) {
    all.insert(all.end(), {"--python", SUTURE_PYTHON});
  }
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_suture(all, options);
}

}  // namespace suture::testing
