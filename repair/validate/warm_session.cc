#include "repair/validate/warm_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include "repair/base/file.h"
#include "repair/validate/guest_package.h"
#include "repair/validate/warm_line.h"

namespace suture {
namespace {
namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Json = nlohmann::json;

/// Longer lines than the package writes; what exceeds it comes from somebody else.
constexpr std::size_t kLongestLine = 1 << 16;

bool continues_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

Json json_of(const WarmPlan& plan, const fs::path& tree) {
  Json candidates = Json::array();
  for (const WarmCandidate& candidate : plan.candidates) {
    Json files = Json::object();
    for (const auto& [path, splices] : candidate.files) {
      Json& list = files[path] = Json::array();
      for (const Splice& splice : splices) list.push_back({splice.begin, splice.end, splice.text});
    }
    candidates.push_back({{"index", candidate.index}, {"files", std::move(files)}});
  }
  Json json = {{"mode", to_string(plan.tier)},
               {"tree", tree.string()},
               {"jobs", plan.jobs},
               {"child_timeout", double(plan.child_timeout.count()) / 1000},
               {"preload", plan.modules},
               {"stop", plan.stop == WarmPlan::Stop::kAtEnd ? "at_end" : "when_answered"},
               {"candidates", std::move(candidates)}};
  if (!plan.asked.fields.empty()) json.update(Json::parse(plan.asked.fields));
  return json;
}

/// A pipe with a name, at which the process in the sandbox writes lines.
class LinePipe {
 public:
  explicit LinePipe(const fs::path& path) {
    if (mkfifo(path.c_str(), 0666) != 0) return;
    chmod(path.c_str(), 0666);  // whoever the check runs as, whatever our umask
    // Open for writing as well: the pipe then never ends before we say so.
    descriptor_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  }
  ~LinePipe() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  LinePipe(const LinePipe&) = delete;
  LinePipe& operator=(const LinePipe&) = delete;

  bool ready() const { return descriptor_ >= 0; }

  /// Waits for at most `wait`; returns the whole lines that have come.
  std::vector<std::string> lines(milliseconds wait) {
    pollfd poll_for{descriptor_, POLLIN, 0};
    poll(&poll_for, 1, int(wait.count()));
    char buffer[16 << 10];
    for (ssize_t got; (got = read(descriptor_, buffer, sizeof buffer)) > 0;) {
      rest_.append(buffer, std::size_t(got));
      if (rest_.size() > (8u << 20)) break;  // let the caller look before more is kept
    }
    std::vector<std::string> whole;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      if (end - begin <= kLongestLine) whole.push_back(rest_.substr(begin, end - begin));
    }
    rest_.erase(0, begin);
    if (rest_.size() > kLongestLine) rest_.clear();
    return whole;
  }

 private:
  int descriptor_ = -1;
  std::string rest_;
};

/// One session. The check runs in a thread of its own while this one reads what it reports.
class Session {
 public:
  Session(const WarmPlan& plan, const Check& check, const fs::path& tree, Executor& executor,
          const std::function<void(const WarmAnswer&)>& tell, const CancelToken& cancel)
      : plan_(plan), check_(check), tree_(tree), executor_(executor), tell_(tell), cancel_(cancel) {
    for (const WarmCandidate& candidate : plan.candidates) open_.insert(candidate.index);
  }

  WarmEnd run() {
    Result<GuestPackage> server = GuestPackage::make("warm");
    if (!server) return unable(server.error().display());
    fs::path plan_file = server->out() / "plan.json";
    std::string plan = json_of(plan_, tree_).dump(-1, ' ', false, Json::error_handler_t::replace);
    if (Status written = write_file_atomically(plan_file, plan); !written)
      return unable(written.error().display());
    std::error_code ec;
    fs::permissions(plan_file, fs::perms::others_read | fs::perms::group_read,
                    fs::perm_options::add, ec);
    LinePipe pipe(server->out() / "results");
    if (!pipe.ready()) return unable("cannot make a pipe in " + server->out().string());

    std::thread process([&] { end_.run = run_check(*server); });
    listen(pipe);
    stop_.cancel();
    process.join();
    for (const std::string& line : pipe.lines(milliseconds(0))) hear(line);
    if (!started_ && end_.reason.empty()) {
      end_.reason = end_.run.reason.empty()
                        ? "the check did not start a Python of its own that could be held"
                        : end_.run.reason;
    }
    return std::move(end_);
  }

 private:
  WarmEnd unable(std::string reason) {
    end_.reason = std::move(reason);
    return std::move(end_);
  }

  CheckRun run_check(const GuestPackage& server) {
    Check warm = check_;
    // Listening ends it when nothing happens any more; this is for a listener that is kept busy.
    warm.timeout = plan_.start_timeout + plan_.child_timeout * int(plan_.candidates.size() +
                                                                   plan_.asked.most_children + 2);
    RunRequest request;
    request.check = &warm;
    server.join(&request);
    request.env = {{"SUTURE_WARM_PLAN", (server.out() / "plan.json").string()},
                   {"SUTURE_WARM_RESULTS", (server.out() / "results").string()},
                   {"SUTURE_WARM_TREE", tree_.string()}};
    CheckRun run = executor_.run(request, stop_);
    over_ = true;
    return run;
  }

  /// Until the process has ended, everything is answered, nothing happens any more, or the caller
  /// wants no more.
  void listen(LinePipe& pipe) {
    auto quiet_since = std::chrono::steady_clock::now();
    while (!over_ && !cancel_.cancelled()) {
      std::vector<std::string> lines = pipe.lines(milliseconds(50));
      for (const std::string& line : lines) hear(line);
      if (ended_) return;
      auto now = std::chrono::steady_clock::now();
      if (!lines.empty()) quiet_since = now;
      if (now - quiet_since > plan_.start_timeout + plan_.child_timeout) {
        if (end_.reason.empty()) end_.reason = "the base run went on without reaching more of it";
        return;
      }
    }
  }

  void hear(const std::string& text) {
    Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) return;
    std::string event = text_in(line, "event");
    if (event == "start") {
      started_ = end_.able = true;
    } else if (event == "unable") {
      end_.able = false;
      end_.reason = text_in(line, "reason");
      ended_ = true;
    } else if (event == "end") {
      ended_ = true;
      take_modules(line);
    } else if (plan_.asked.hear) {
      plan_.asked.hear(text);
    } else {
      answer(event, line);
    }
  }

  void take_modules(const Json& line) {
    auto modules = line.find("modules");
    if (modules == line.end() || !modules->is_array()) return;
    for (const Json& name : *modules) {
      if (name.is_string()) end_.modules.push_back(name.get<std::string>());
    }
  }

  void answer(const std::string& event, const Json& line) {
    auto index = line.find("index");
    if (index == line.end() || !index->is_number_unsigned()) return;
    WarmAnswer answer;
    answer.index = index->get<std::size_t>();
    answer.reason = text_in(line, "reason");
    answer.seconds = number_in(line, "seconds");
    answer.cpu_seconds = number_in(line, "cpu");
    if (event == "verdict") {
      std::optional<ChildEnd> end = child_end_in(line);
      if (end) {
        answer.kind = WarmAnswer::Kind::kVerdict;
        answer.verdict = end->verdict;
        answer.code = end->code;
      }
    } else if (event == "unreached") {
      answer.kind = WarmAnswer::Kind::kUnreached;
      answer.verdict = Verdict::kFailed;
    } else if (event != "refused") {
      return;
    }
    if (open_.erase(answer.index) == 1) tell_(answer);
  }

  const WarmPlan& plan_;
  const Check& check_;
  const fs::path& tree_;
  Executor& executor_;
  const std::function<void(const WarmAnswer&)>& tell_;
  const CancelToken& cancel_;
  CancelToken stop_;
  std::set<std::size_t> open_;  ///< candidates without an answer
  WarmEnd end_;
  std::atomic<bool> over_{false};
  bool started_ = false;
  bool ended_ = false;
};

}  // namespace

Splice splice_between(std::string_view base, std::string_view edited) {
  std::size_t shorter = std::min(base.size(), edited.size());
  std::size_t begin = 0;
  while (begin < shorter && base[begin] == edited[begin]) ++begin;
  // The byte at `begin` may be in the middle of a character whose first bytes are equal.
  auto in_character = [&](std::size_t at) {
    return (at < base.size() && continues_a_character(base[at])) ||
           (at < edited.size() && continues_a_character(edited[at]));
  };
  while (begin > 0 && in_character(begin)) --begin;
  std::size_t same = 0;
  while (same < shorter - begin && base[base.size() - 1 - same] == edited[edited.size() - 1 - same])
    ++same;
  while (same > 0 && continues_a_character(base[base.size() - same])) --same;
  return {begin, base.size() - same,
          std::string(edited.substr(begin, edited.size() - same - begin))};
}

WarmEnd run_warm_session(const WarmPlan& plan, const Check& check, const fs::path& tree,
                         Executor& executor, const std::function<void(const WarmAnswer&)>& tell,
                         const CancelToken& cancel) {
  return Session(plan, check, tree, executor, tell, cancel).run();
}

}  // namespace suture
