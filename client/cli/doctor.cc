#include "client/cli/doctor.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "client/cli/interpreter.h"
#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/validate/local_executor.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

using State = Finding::State;

constexpr std::uint64_t kComfortableSpace = 2ull << 30;

class Examination {
 public:
  Examination(fs::path tree, ProcessRunner& processes, const CancelToken& cancel)
      : tree_(std::move(tree)),
        processes_(processes),
        cancel_(cancel),
        environment_(own_environment()) {}

  std::vector<Finding> run() {
    interpreter();
    pytest();
    bubblewrap();
    user_namespaces();
    sandbox();
    overlay();
    temporary_space();
    share("patterns", "fixes come from pattern files", ".yaml");
    share("probe", "without it nothing is seen of what happens inside a check", ".py");
    program("git", "--version", "patches can still be applied with --apply or patch(1)",
            "apt-get install git");
    program("g++", "--version", "C++ trees cannot be repaired", "apt-get install g++");
    program("clang", "--version", "C++ trees are built with g++ alone", "apt-get install clang");
    program("ccache", "--version", "every native candidate is compiled from nothing",
            "apt-get install ccache");
    program("nvcc", "--version", "CUDA sources cannot be compiled", "install the CUDA toolkit");
    gpu();
    return std::move(findings_);
  }

 private:
  struct Answer {
    bool good = false;
    std::string text;  ///< first line of the output
  };

  Answer ask(std::vector<std::string> argv, const std::string& cwd = "/") {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.env = environment_;
    spec.env["PYTHONDONTWRITEBYTECODE"] = "1";
    spec.cwd = cwd;
    spec.limits.wall = std::chrono::seconds(20);
    ProcessResult result = processes_.run(spec, cancel_);
    std::vector<std::string_view> lines = split_lines(trim(result.output));
    bool started = result.ending != Ending::kStartFailed;
    std::string text = !started        ? result.error
                       : lines.empty() ? std::string()
                                       : std::string(lines.front());
    return {result.ending == Ending::kExited && result.code == 0, text};
  }

  void add(std::string id, State state, std::string found, std::string cost = {},
           std::string remedy = {}) {
    if (state == State::kGood) cost = remedy = "";
    findings_.push_back(
        {std::move(id), state, std::move(found), std::move(cost), std::move(remedy)});
  }

  fs::path on_path(const std::string& name) { return find_program(name, environment_["PATH"]); }

  void interpreter() {
    auto found = find_interpreter({"", tree_, environment_}, processes_, cancel_);
    if (!found) {
      add("interpreter", State::kBlocking, found.error().display(), "Python checks cannot run",
          "apt-get install python3, or give --python");
      return;
    }
    interpreter_ = *found;
    std::string text =
        fmt::format("Python {} at {}", interpreter_.version(), interpreter_.path.string());
    add("interpreter", interpreter_.supported() ? State::kGood : State::kLimited, text,
        "what happens inside checks cannot be looked at: Python 3.8 to 3.13 can",
        "give another with --python");
  }

  void pytest() {
    if (interpreter_.path.empty()) return;
    Answer answer =
        ask({interpreter_.path.string(), "-B", "-c", "import pytest; print(pytest.__version__)"});
    add("pytest", answer.good ? State::kGood : State::kLimited,
        answer.good ? "pytest " + answer.text : "not installed in that interpreter",
        "checks that call pytest cannot run",
        fmt::format("{} -m pip install pytest", interpreter_.path.string()));
  }

  void bubblewrap() {
    Answer answer = ask({"bwrap", "--version"});
    add("bubblewrap", answer.good ? State::kGood : State::kBlocking,
        answer.good ? answer.text : "not installed",
        "checks cannot be kept from harm; --no-sandbox runs them with your rights",
        "apt-get install bubblewrap");
  }

  void user_namespaces() {
    Answer answer = ask({"unshare", "--user", "--map-root-user", "true"});
    bool root = geteuid() == 0;
    add("user-namespaces",
        answer.good ? State::kGood
        : root      ? State::kLimited
                    : State::kBlocking,
        answer.good ? "allowed" : "not allowed: " + answer.text,
        "bubblewrap needs them when suture is not run by root",
        "sysctl -w kernel.unprivileged_userns_clone=1");
  }

  /// The last word on the sandbox has the executor itself.
  void sandbox() {
    auto folder = TemporaryFolder::make("suture-doctor-");
    if (!folder) return;
    LocalExecutorOptions options;
    options.tree = folder->path();
    options.environment = base_environment(interpreter_.path, {});
    Status ready = make_sandboxed_executor(std::move(options), processes_)->ready();
    add("sandbox", ready ? State::kGood : State::kBlocking, ready ? "works" : ready.error().message,
        "repairs run with --no-sandbox only, and the code under repair then has your rights",
        ready ? std::string() : ready.error().hint);
  }

  void overlay() {
    auto folder = TemporaryFolder::make("suture-doctor-");
    if (!folder) return;
    Answer answer = ask({"unshare", "--user", "--map-root-user", "--mount", "sh", "-ec",
                         "mount -t tmpfs none . && cd . && cd \"$PWD\" && mkdir l u w m && "
                         "mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w m"},
                        folder->path().string());
    add("overlay", answer.good ? State::kGood : State::kLimited,
        answer.good ? "can be mounted" : "cannot be mounted: " + answer.text,
        "each check run gets a copy of the tree instead: slower for large trees, and more disk",
        "Linux 5.11 or later mounts overlays in user namespaces");
  }

  void temporary_space() {
    auto folder = TemporaryFolder::make("suture-doctor-");
    if (!folder) {
      add("temporary-space", State::kBlocking, folder.error().message, "nothing can be tried out",
          folder.error().hint);
      return;
    }
    struct statvfs space {};
    std::string place = folder->path().parent_path().string();
    std::uint64_t bytes = statvfs(place.c_str(), &space) == 0 ? space.f_bavail * space.f_frsize : 0;
    add("temporary-space", bytes >= kComfortableSpace ? State::kGood : State::kLimited,
        fmt::format("{:.1f} GB free in {}", double(bytes) / double(1 << 30), place),
        "check runs that write much end as INFRA_ERROR",
        "set TMPDIR to a folder with 2 GB or more");
  }

  void share(const std::string& name, std::string_view use, std::string_view extension) {
    fs::path folder = share_folder(name);
    std::error_code ec;
    std::size_t files = 0;
    for (fs::recursive_directory_iterator entry(folder, ec), end; !ec && entry != end;
         entry.increment(ec)) {
      files += entry->path().extension() == extension ? 1 : 0;
    }
    add(name, files > 0 ? State::kGood : State::kBlocking,
        fmt::format("{} files in {}", files, folder.string()), std::string(use),
        "set SUTURE_SHARE to the share folder of the installation");
  }

  void program(const std::string& name, const std::string& question, std::string cost,
               std::string remedy) {
    bool there = !on_path(name).empty();
    add(name, there ? State::kGood : State::kLimited,
        there ? ask({name, question}).text : "not installed", std::move(cost), std::move(remedy));
  }

  void gpu() {
    Answer answer =
        on_path("nvidia-smi").empty() ? Answer{false, "no nvidia-smi"} : ask({"nvidia-smi", "-L"});
    add("gpu", answer.good ? State::kGood : State::kLimited, answer.text,
        "checks that need a GPU end as NOT_REPRODUCED", "");
  }

  fs::path tree_;
  ProcessRunner& processes_;
  const CancelToken& cancel_;
  std::map<std::string, std::string> environment_;
  Interpreter interpreter_;
  std::vector<Finding> findings_;
};

std::string_view to_string(State state) {
  switch (state) {
    case State::kGood:
      return "good";
    case State::kLimited:
      return "limited";
    case State::kBlocking:
      return "blocking";
  }
  return "blocking";
}

std::string marked(State state, const Palette& palette) {
  switch (state) {
    case State::kGood:
      return palette.green("ok      ");
    case State::kLimited:
      return palette.yellow("limited ");
    case State::kBlocking:
      return palette.red("MISSING ");
  }
  return {};
}

}  // namespace

std::vector<Finding> examine_machine(const fs::path& tree, ProcessRunner& processes,
                                     const CancelToken& cancel) {
  return Examination(tree, processes, cancel).run();
}

bool repairs_can_run(const std::vector<Finding>& findings) {
  return std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.state == State::kBlocking; });
}

std::string render_findings(const std::vector<Finding>& findings, const Palette& palette) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{} {:<16} {}\n", marked(finding.state, palette), finding.id,
                        printable(finding.found));
    for (const std::string& detail : {finding.cost, finding.remedy}) {
      if (!detail.empty()) text += fmt::format("{:26}{}\n", "", palette.dim(printable(detail)));
    }
  }
  text += repairs_can_run(findings)
              ? palette.bold("Repairs can run.\n")
              : palette.bold("Repairs cannot run until what is MISSING is there.\n");
  return text;
}

nlohmann::ordered_json findings_to_json(const std::vector<Finding>& findings,
                                        const std::string& version) {
  auto list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"id", finding.id},
                    {"state", to_string(finding.state)},
                    {"found", finding.found},
                    {"cost", finding.cost},
                    {"remedy", finding.remedy}});
  }
  return {{"schema_version", 1},
          {"suture_version", version},
          {"repairs_can_run", repairs_can_run(findings)},
          {"findings", std::move(list)}};
}

}  // namespace suture
