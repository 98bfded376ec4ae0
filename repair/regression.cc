#include "repair/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "repair/base/text.h"
#include "repair/related_tests.h"
#include "repair/report/report.h"
#include "repair/reproduce/traced_run.h"

namespace suture {
namespace {
using std::chrono::milliseconds;

constexpr std::size_t kMostTests = 200;  // of one file
constexpr milliseconds kShortestTimeout{30'000};
constexpr int kTimeoutFactor = 5;  // of the check's own time
/// A candidate's run, and one at the base revision should it be red.
constexpr int kRunsOfOneFile = 2;
/// Less time than this is not worth a start.
constexpr milliseconds kShortestRun{1000};

/// "tests/test_x.py::TestA::test_b[1]" -> "::TestA::test_b[1]": the file is relative to a root that
/// pytest chose.
std::string behind_file(const std::string& node_id) {
  std::size_t colons = node_id.find("::");
  return colons == std::string::npos ? "" : node_id.substr(colons);
}

std::string counted_tests(std::size_t number) {
  return fmt::format("{} test{}", number, number == 1 ? "" : "s");
}

}  // namespace

/// What is known of a test file. Its mutex is held while it is found out.
struct Regression::TestFile {
  std::mutex mutex;
  bool known = false;
  std::vector<std::string> ids;  ///< node ids, as an argument for pytest, that passed
  Evidence evidence;
  std::string useless;  ///< why it says nothing about any candidate, where that is worth telling
};

/// The reruns of one candidate.
class Regression::Round {
 public:
  Round(Regression& whole, const Candidate& candidate, const Budget& left,
        const CancelToken& cancel)
      : whole_(whole),
        candidate_(candidate),
        left_(left),
        cancel_(cancel),
        places_(edited_places(candidate, whole.input_.tree)) {}

  Found run() {
    for (const std::string& path :
         related_test_files(places_, whole_.input_.check, whole_.input_.tree)) {
      rerun(path);
      if (found_.verdict != Verdict::kPassed) return std::move(found_);
      if (used_up_) break;
    }
    found_.reason = what_was_not_rerun();
    return std::move(found_);
  }

 private:
  void rerun(const std::string& path) {
    TestFile& file = whole_.test_file(path);
    std::lock_guard lock(file.mutex);
    if (!affordable(kRunsOfOneFile + (file.known ? 0 : 1))) return;
    if (!file.known && !learn(path, file)) return;
    if (!file.useless.empty()) {
      left_out_.push_back(fmt::format("{} {}", path, file.useless));
    } else if (!file.ids.empty() && reaches(file.evidence, places_)) {
      compare(path, file);
    }
  }

  /// Runs the file at the base revision. Whether it is known after that.
  bool learn(const std::string& path, TestFile& file) {
    say(fmt::format("looking which tests of {} pass without the change", path), path);
    Check check = check_for({path});
    Result<TracedRun> traced =
        run_traced(check, whole_.input_.tree.root(), whole_.input_.executor, cancel_);
    if (!traced) {
      left_out_.push_back(fmt::format("{} could not be run: {}", path, traced.error().message));
      return false;
    }
    count(traced->run);
    if (!usable(path, traced->run, check)) return false;
    file.known = true;
    for (const RanTest& test : traced->evidence.tests) {
      bool passed = test.how == RanTest::How::kPassed && !behind_file(test.id).empty();
      if (passed && file.ids.size() < kMostTests) file.ids.push_back(path + behind_file(test.id));
    }
    if (file.ids.empty()) file.useless = why_useless(path, *traced);
    file.evidence.executed = std::move(traced->evidence.executed);
    return true;
  }

  /// Empty for a file whose tests are all the check's own: nothing was left out.
  std::string why_useless(const std::string& path, const TracedRun& traced) const {
    if (traced.run.verdict == Verdict::kTimedOut) return "takes too long";
    if (traced.run.output.find("No module named pytest") != std::string::npos)
      return "needs pytest, which is not installed";
    if (traced.evidence.empty()) return "could not be looked at: " + traced.reason;
    if (!traced.evidence.tests.empty()) {
      bool own = scope_of(whole_.input_.check, path, whole_.input_.tree) == CheckScope::kPart;
      return own ? "" : "has no test that passes without the change";
    }
    std::string why = failure_of_output(traced.run.output).headline();
    return "could not be collected" + (why.empty() ? "" : ": " + why);
  }

  /// Runs with the candidate what passed without it.
  void compare(const std::string& path, TestFile& file) {
    say(fmt::format("rerunning {} of {}", counted_tests(file.ids.size()), path), path);
    Check check = check_for(file.ids);
    CheckRun run = run_once(check, candidate_.files);
    if (!usable(path, run, check)) return;
    if (is_red(run.verdict)) {
      std::string broken = broken_test(run, file);
      if (is_flaky(check)) {
        file.useless = "fails now and then without the change";
        left_out_.push_back(fmt::format("{} {}", path, file.useless));
        return;
      }
      if (found_.verdict != Verdict::kPassed) return;
      found_.verdict = Verdict::kFailed;
      found_.reason = "breaks " + (broken.empty() ? path : broken);
    }
    found_.rerun.push_back({fmt::format("{} ({} that passed before)", check_for({path}).display(),
                                        counted_tests(file.ids.size())),
                            run.verdict, run.use.wall_seconds, run.origin});
  }

  /// Whether the same tests are red without the candidate as well.
  bool is_flaky(const Check& check) {
    CheckRun again = run_once(check, {});
    if (again.verdict == Verdict::kCancelled) found_.verdict = Verdict::kCancelled;
    return is_red(again.verdict);
  }

  /// The test that pytest names as failing; the first one where it crashed.
  static std::string broken_test(const CheckRun& run, const TestFile& file) {
    for (const std::string& failing : failure_of_output(run.output).test_ids) {
      for (const std::string& id : file.ids) {
        if (!behind_file(failing).empty() && behind_file(id) == behind_file(failing)) return id;
      }
    }
    return file.ids.size() == 1 ? file.ids.front() : "";
  }

  CheckRun run_once(const Check& check, const FileContents& files) {
    RunRequest request;
    request.check = &check;
    request.files = files;
    CheckRun run = whole_.input_.executor.run(request, cancel_);
    count(run);
    return run;
  }

  /// Whether a run says something about its tests; else notes why not.
  bool usable(const std::string& path, const CheckRun& run, const Check& check) {
    if (run.verdict == Verdict::kCancelled) {
      found_.verdict = Verdict::kCancelled;
      return false;
    }
    if (run.verdict == Verdict::kTimedOut && check.timeout < whole_.timeout_) {
      used_up_ = true;
      return false;
    }
    if (is_red(run.verdict) || run.verdict == Verdict::kPassed) return true;
    left_out_.push_back(fmt::format("{} could not be run: {}", path, run.reason));
    return false;
  }

  Check check_for(const std::vector<std::string>& what) const {
    Check check;
    check.command = {whole_.python_, "-m", "pytest", "-q", "-p", "no:cacheprovider"};
    check.command.insert(check.command.end(), what.begin(), what.end());
    check.env = whole_.input_.check.env;
    check.timeout = std::min(whole_.timeout_, time_left().value_or(whole_.timeout_));
    return check;
  }

  std::optional<milliseconds> time_left() const {
    if (!left_.time) return std::nullopt;
    auto used = milliseconds(std::int64_t(1000 * found_.seconds));
    return std::max(*left_.time - used, kShortestRun);
  }

  bool affordable(int runs) {
    bool out_of_runs = left_.check_runs && found_.runs + runs > *left_.check_runs;
    bool out_of_time = left_.time && 1000 * found_.seconds + double(kShortestRun.count()) >
                                         double(left_.time->count());
    if (out_of_runs || out_of_time) used_up_ = true;
    return !used_up_;
  }

  void count(const CheckRun& run) {
    if (run.origin == Origin::kCache) {
      found_.cached_runs += 1;
      return;
    }
    found_.runs += 1;
    found_.seconds += run.use.wall_seconds;
  }

  std::string what_was_not_rerun() const {
    std::string_view other = found_.rerun.empty() ? "no other test was" : "further tests were not";
    if (used_up_) return fmt::format("{} rerun: the budget was used up", other);
    if (!left_out_.empty()) return fmt::format("{} rerun: {}", other, join(left_out_, "; "));
    return found_.rerun.empty() ? "no other test of the tree reaches the edited lines" : "";
  }

  void say(std::string message, const std::string& path) {
    whole_.input_.events.emit(
        {"validate", std::move(message), {{"candidate", candidate_.id}, {"test_file", path}}});
  }

  Regression& whole_;
  const Candidate& candidate_;
  const Budget& left_;
  const CancelToken& cancel_;
  std::vector<EditedPlace> places_;
  std::vector<std::string> left_out_;  ///< test files with the reason
  bool used_up_ = false;
  Found found_;
};

Regression::Regression(RegressionInput input)
    : input_(std::move(input)),
      python_(!input_.check.command.empty() && is_python(input_.check.command.front())
                  ? input_.check.command.front()
                  : input_.interpreter),
      timeout_(std::max(kShortestTimeout,
                        milliseconds(std::int64_t(1000 * kTimeoutFactor * input_.check_seconds)))) {
}

Regression::~Regression() = default;

Regression::TestFile& Regression::test_file(const std::string& path) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<TestFile>& file = files_[path];
  if (!file) file = std::make_unique<TestFile>();
  return *file;
}

Regression::Found Regression::run(const Candidate& candidate, const Budget& left,
                                  const CancelToken& cancel) {
  return Round(*this, candidate, left, cancel).run();
}

}  // namespace suture
