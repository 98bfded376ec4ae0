#include "repair/validate/warm_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/process/line_pipe.h"
#include "repair/validate/guest_package.h"
#include "repair/validate/warm_line.h"
#include "repair/vcs/diff.h"

namespace suture {
namespace {
namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Json = nlohmann::json;

bool continues_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

Json plan_json(const WarmPlan& plan, const fs::path& tree) {
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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

/// A warm process: the check runs in a thread of its own, whoever has the object listens to what it
/// reports.
class WarmProcess {
 public:
  WarmProcess(WarmPlan plan, Check check, fs::path tree, Executor& executor)
      : plan_(std::move(plan)),
        check_(std::move(check)),
        tree_(std::move(tree)),
        executor_(executor) {}
  ~WarmProcess() { end(); }

  /// Starts it with its plan.
  void start() {
    if (Status made = make_folder(); !made) return give_up(made.error().display());
    // Listening ends it when nothing happens any more; this is for a listener that is kept busy.
    start(plan_json(plan_, tree_),
          plan_.start_timeout +
              plan_.child_timeout * int(plan_.candidates.size() + plan_.asked.most_children + 2));
  }

  /// Starts it without candidates, to be held.
  void hold() {
    if (Status made = make_folder(); !made) return give_up(made.error().display());
    requests_.emplace(folder() / "requests");
    plan_.candidates.clear();
    Json plan = plan_json(plan_, tree_);
    plan["requests"] = (folder() / "requests").string();
    start(plan, std::chrono::hours(24));  // listening ends it, or whoever holds it
  }

  void limit(milliseconds child_timeout, milliseconds base_timeout) {
    plan_.child_timeout = child_timeout;
    plan_.start_timeout = base_timeout;
  }

  /// Asks a held process and listens until the window is over.
  void serve(std::vector<WarmCandidate> candidates, WarmQuestion question,
             const CancelToken& cancel) {
    plan_.candidates = std::move(candidates);
    plan_.asked = std::move(question);
    window_reason_.clear();
    int asked = ++windows_asked_;
    fs::path file = folder() / fmt::format("window-{}.json", asked);
    if (Status written = write(file, plan_json(plan_, tree_)); !written)
      return give_up(written.error().display());
    if (!requests_->send(file.string() + "\n")) return give_up("it cannot be asked any more");
    auto window_is_over = [&] { return windows_over_ >= asked; };
    auto start_of_window = std::chrono::steady_clock::now();
    auto takes_too_long = [&] {
      return plan_.asked.time_limit &&
             std::chrono::steady_clock::now() - start_of_window > *plan_.asked.time_limit;
    };
    hangs_ =
        listen([&] { return window_is_over() || takes_too_long(); }, cancel) == Heard::kNothing;
    if (hangs_ || (!window_is_over() && takes_too_long())) {
      requests_->send("stop\n");
      if (listen(window_is_over, cancel) == Heard::kNothing) give_up("it cannot be stopped");
    } else if (!window_is_over()) {
      requests_->send("stop\n");  // whoever asks next is not to wait for the rest of it
    }
    fs::remove(file, ignored_);
    plan_.asked = WarmQuestion();
    if (!taint_.empty()) give_up("the base run " + taint_);
  }

  /// Ends it and hears what it still had to say.
  void end() {
    if (!process_.joinable()) return;
    stop_.cancel();
    process_.join();
    for (const std::string& line : pipe_->lines(milliseconds(0))) hear(line);
    output_ = run_.output;
    if (!started_ && reason_.empty()) {
      reason_ = run_.reason.empty()
                    ? "the check did not start a Python of its own that could be held"
                    : run_.reason;
    }
  }

  void listen_to_hold(const CancelToken& cancel) {
    if (listen([this] { return held_; }, cancel) == Heard::kNothing)
      give_up("it calls nothing of the tree for a long time");
  }

  void listen_to_end(const CancelToken& cancel) {
    hangs_ = listen([] { return false; }, cancel) == Heard::kNothing;
  }

  enum class Heard { kEnough, kNothing };

  /// Until `enough`, the process has ended or is useless, or the caller wants no more: kEnough; or
  /// until nothing has happened for a long time: kNothing.
  Heard listen(const std::function<bool()>& enough, const CancelToken& cancel) {
    if (!process_.joinable() || ended_ || enough()) return Heard::kEnough;
    auto quiet_since = std::chrono::steady_clock::now();
    while (!over_ && !cancel.cancelled()) {
      std::vector<std::string> lines = pipe_->lines(milliseconds(50));
      for (const std::string& line : lines) hear(line);
      if (ended_ || enough()) return Heard::kEnough;
      auto now = std::chrono::steady_clock::now();
      if (!lines.empty()) quiet_since = now;
      if (now - quiet_since > plan_.start_timeout + plan_.child_timeout) return Heard::kNothing;
    }
    if (over_) ended_ = true;
    return Heard::kEnough;
  }

  /// From now on these are to be answered, to `tell`, until forget().
  void expect(const std::vector<WarmCandidate>& candidates,
              const std::function<void(const WarmAnswer&)>& tell) {
    for (const WarmCandidate& candidate : candidates) open_.insert(candidate.index);
    tell_ = tell;
  }

  /// Whoever asked is gone: what is still said of candidates is not for the next one.
  void forget() {
    open_.clear();
    tell_ = nullptr;
  }

  /// It serves no more.
  void give_up(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    able_ = false;
    ended_ = true;
  }

  WarmEnd result(double seconds) const {
    std::string reason = reason_.empty() ? window_reason_ : reason_;
    bool able = able_ && window_reason_.empty();
    if (reason.empty() && hangs_) reason = "the base run went on without reaching more of it";
    return {able, std::move(reason), modules_, seconds, hangs_, output_};
  }
  bool ended() const { return ended_; }
  bool held() const { return held_; }
  bool is_well() const { return started_ && reason_.empty(); }
  double seconds_to_hold() const { return seconds_to_hold_; }

 private:
  const fs::path& folder() const { return server_->out(); }

  Status make_folder() {
    TRY(GuestPackage server, GuestPackage::make("warm"));
    server_.emplace(std::move(server));
    return {};
  }

  void start(const Json& plan, milliseconds timeout) {
    if (Status written = write(folder() / "plan.json", plan); !written)
      return give_up(written.error().display());
    pipe_.emplace(folder() / "results");
    if (!pipe_->ready()) return give_up("cannot make a pipe in " + folder().string());
    process_ = std::thread([this, timeout] { run_check(timeout); });
  }

  static Status write(const fs::path& path, const Json& plan) {
    std::string text = plan.dump(-1, ' ', false, Json::error_handler_t::replace);
    TRY_STATUS(write_file_atomically(path, text));
    std::error_code ec;  // whoever the check runs as
    fs::permissions(path, fs::perms::others_read | fs::perms::group_read, fs::perm_options::add,
                    ec);
    return {};
  }

  void run_check(milliseconds timeout) {
    Check warm = check_;
    warm.timeout = timeout;
    RunRequest request;
    request.check = &warm;
    server_->join(&request);
    request.env = {{"SUTURE_WARM_PLAN", (folder() / "plan.json").string()},
                   {"SUTURE_WARM_RESULTS", (folder() / "results").string()},
                   {"SUTURE_WARM_TREE", tree_.string()}};
    run_ = executor_.run(request, stop_);
    over_ = true;
  }

  void hear(const std::string& text) {
    Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) return;
    std::string event = text_in(line, "event");
    // What a window that was left still says is not for who asked the next one.
    bool of_left_window = windows_over_ + 1 < windows_asked_;
    if (event == "start") {
      started_ = able_ = true;
    } else if (event == "held") {
      held_ = true;
      seconds_to_hold_ = number_in(line, "seconds");
      take_modules(line);
    } else if (event == "idle") {
      ++windows_over_;
    } else if (of_left_window && event != "tainted") {
      return;
    } else if (event == "unable" && held_) {
      window_reason_ = text_in(line, "reason");  // "idle" follows
    } else if (event == "unable") {
      give_up(text_in(line, "reason"));
    } else if (event == "tainted") {
      taint_ = text_in(line, "reason");
    } else if (event == "end") {
      // Of a held process it is the end of a window; "idle" follows.
      ended_ = ended_ || !held_;
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
    modules_.clear();
    for (const Json& name : *modules) {
      if (name.is_string()) modules_.push_back(name.get<std::string>());
    }
  }

  static std::string likeness(const Json& line) {
    auto like = line.find("like");
    if (like == line.end() || !like->is_number_unsigned())
      return "behaves as the original at every visit";
    // Candidates are numbered from 1 where people see them.
    return fmt::format("same values as candidate {} at every visit", like->get<std::size_t>() + 1);
  }

  void answer(const std::string& event, const Json& line) {
    auto index = line.find("index");
    if (index == line.end() || !index->is_number_unsigned()) return;
    WarmAnswer answer;
    answer.index = index->get<std::size_t>();
    answer.reason = text_in(line, "reason");
    answer.seconds = number_in(line, "seconds");
    answer.cpu_seconds = number_in(line, "cpu");
    if (event == "verdict" || event == "alike") {
      if (std::optional<ChildEnd> end = child_end_in(line)) {
        answer.kind = event == "alike" ? WarmAnswer::Kind::kAlike : WarmAnswer::Kind::kVerdict;
        answer.verdict = end->verdict;
        answer.code = end->code;
        answer.failure = failure_in(line);
      }
      if (answer.kind == WarmAnswer::Kind::kAlike) answer.reason = likeness(line);
    } else if (event == "unreached") {
      answer.kind = WarmAnswer::Kind::kUnreached;
      answer.verdict = Verdict::kFailed;
    } else if (event == "too_late") {
      answer.kind = WarmAnswer::Kind::kTooLate;
    } else if (event != "refused") {
      return;
    }
    if (open_.erase(answer.index) == 1) tell_(answer);
  }

  WarmPlan plan_;
  Check check_;
  fs::path tree_;
  Executor& executor_;
  std::optional<GuestPackage> server_;
  std::optional<LinePipe> pipe_;
  std::optional<LinePipe> requests_;
  std::thread process_;
  CancelToken stop_;
  CheckRun run_;  ///< the thread's, until it has ended
  std::atomic<bool> over_{false};
  std::set<std::size_t> open_;  ///< candidates without an answer
  std::function<void(const WarmAnswer&)> tell_;
  std::vector<std::string> modules_;
  std::string reason_;
  std::string window_reason_;  ///< why the last window could not be served
  std::string taint_;          ///< what the base run of a window has left behind
  std::string output_;
  double seconds_to_hold_ = 0;
  std::error_code ignored_;
  bool able_ = false;
  bool started_ = false;
  bool held_ = false;
  bool ended_ = false;
  bool hangs_ = false;
  int windows_asked_ = 0;
  int windows_over_ = 0;
};

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

std::vector<Splice> splices_between(std::string_view base, std::string_view edited) {
  Result<std::string> diff = unified_diff({{"file", std::string(base), std::string(edited)}});
  Result<std::vector<LineChange>> changes = fail(ErrorKind::kInternal, "");
  if (diff) changes = line_changes(*diff);
  if (!changes) return {splice_between(base, edited)};
  std::vector<Splice> splices;
  std::size_t begin = 0;
  int line = 1;
  for (const LineChange& change : *changes) {
    for (; line < change.old_line; ++line) begin = base.find('\n', begin) + 1;
    std::string removed = join(change.removed, ""), added = join(change.added, "");
    Splice splice = splice_between(removed, added);
    splices.push_back({begin + splice.begin, begin + splice.end, std::move(splice.text)});
  }
  return splices;
}

WarmEnd run_warm_session(const WarmPlan& plan, const Check& check, const fs::path& tree,
                         Executor& executor, const std::function<void(const WarmAnswer&)>& tell,
                         const CancelToken& cancel) {
  auto start = std::chrono::steady_clock::now();
  WarmProcess process(plan, check, tree, executor);
  process.expect(plan.candidates, tell);
  process.start();
  process.listen_to_end(cancel);
  process.end();
  return process.result(seconds_since(start));
}

HeldProcess::HeldProcess(WarmPlan plan, Check check, fs::path tree, Executor& executor)
    : process_(std::make_unique<WarmProcess>(std::move(plan), std::move(check), std::move(tree),
                                             executor)) {
  process_->hold();
}

HeldProcess::~HeldProcess() = default;

bool HeldProcess::is_held(const CancelToken& cancel) {
  process_->listen_to_hold(cancel);
  return process_->held() && !process_->ended();
}

WarmEnd HeldProcess::serve(std::vector<WarmCandidate> candidates,
                           const std::function<void(const WarmAnswer&)>& tell,
                           const CancelToken& cancel) {
  return serve(std::move(candidates), WarmQuestion(), tell, cancel);
}

WarmEnd HeldProcess::ask(WarmQuestion question, const CancelToken& cancel) {
  return serve(
      {}, std::move(question), [](const WarmAnswer&) {}, cancel);
}

WarmEnd HeldProcess::serve(std::vector<WarmCandidate> candidates, WarmQuestion question,
                           const std::function<void(const WarmAnswer&)>& tell,
                           const CancelToken& cancel) {
  bool served_before = std::exchange(serves_, true);
  is_held(cancel);
  auto start = std::chrono::steady_clock::now();
  process_->expect(candidates, tell);
  if (!process_->ended() && !cancel.cancelled())
    process_->serve(std::move(candidates), std::move(question), cancel);
  process_->forget();
  double base = served_before ? 0 : process_->seconds_to_hold();
  WarmEnd end = process_->result(base + seconds_since(start));
  if (calls_nothing()) {
    end.able = false;
    end.reason = "the check ends before it calls the tree, save at import";
  }
  return end;
}

void HeldProcess::limit(milliseconds child_timeout, milliseconds base_timeout) {
  process_->limit(child_timeout, base_timeout);
}

double HeldProcess::seconds_to_hold() const { return process_->seconds_to_hold(); }

bool HeldProcess::calls_nothing() const {
  return process_->ended() && !process_->held() && process_->is_well();
}

}  // namespace suture
