#include "client/present/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::size_t kSuspectsShown = 5;
constexpr int kLabelWidth = 12;

std::string place(const std::string& file, int line) {
  return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

std::string place(const Candidate& candidate) {
  return place(candidate.location.file, candidate.location.line);
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string_view in_words(double confidence) {
  if (confidence >= 0.8) return "high";
  if (confidence >= 0.5) return "medium";
  return "low";
}

std::string_view in_words(RepairResult::Lack lack) {
  switch (lack) {
    case RepairResult::Lack::kNone:
      return "";
    case RepairResult::Lack::kPlace:
      return "no place in the tree was suspicious enough";
    case RepairResult::Lack::kIngredient:
      return "no pattern offered the code that is needed at the suspicious places";
    case RepairResult::Lack::kBudget:
      return "the budget was used up before all candidates were run";
  }
  return "";
}

std::string_view label_of(Silencing silencing) {
  switch (silencing) {
    case Silencing::kNo:
      return "";
    case Silencing::kDeletes:
      return "silences the check: deletes what fails";
    case Silencing::kSkips:
      return "silences the check: skips what fails";
    case Silencing::kSwallows:
      return "silences the check: swallows the exception";
    case Silencing::kEchoesCheck:
      return "silences the check: repeats a value of the check";
  }
  return "";
}

/// What the user can do about an outcome that is no patch.
std::string next_step(const RepairResult& result) {
  switch (result.outcome) {
    case Outcome::kPatched:
      return "";
    case Outcome::kNoPatch:
      return result.lack == RepairResult::Lack::kBudget
                 ? "try a larger --budget; --explain shows what was tried"
                 : "--explain shows every place and every trial";
    case Outcome::kNotReproduced:
      return "run the check where it fails, or name that interpreter with --python";
    case Outcome::kFlakyCheck:
      return "make the check fail every time (fix seeds, drop time limits), then try again";
    case Outcome::kNoCheck:
      return "give a command that fails: --check 'python -m pytest path/to/test.py::test_name'";
    case Outcome::kEnvironment:
      return result.advice;
    case Outcome::kUnsupported:
      return "`suture help patterns` says how to teach suture a new kind of fix";
    case Outcome::kCancelled:
      return "";
    case Outcome::kInfraError:
      return "`suture doctor` says what this machine lacks";
  }
  return "";
}

/// Writes one result. Holds the growing text, so that the parts read like the page they make.
class Page {
 public:
  Page(const RepairResult& result, const JobContext& context, const TextStyle& style)
      : result_(result), context_(context), style_(style), palette_(style.palette) {}

  std::string render() {
    outcome();
    for (std::size_t i = 0; i < result_.proposals.size(); ++i) proposal(i);
    if (result_.proposals.empty()) why_not();
    withheld();
    if (explaining()) explain();
    sandbox();
    costs();
    next();
    return std::move(text_);
  }

 private:
  bool explaining() const { return style_.detail == TextStyle::Detail::kExplain; }

  void line(std::string_view text = {}) { text_.append(text).append("\n"); }

  /// "Cause:      text"; further lines of the text are indented below it.
  void field(std::string_view label, std::string_view text) {
    if (text.empty()) return;
    std::string head = fmt::format("{:<{}}", fmt::format("{}:", label), kLabelWidth);
    for (const std::string& part : split(printable(text), '\n')) {
      line(palette_.bold(head) + part);
      head.assign(kLabelWidth, ' ');
    }
  }

  void outcome() {
    std::string text = printable(outcome_line(result_));
    std::size_t word = std::min(text.find(':'), text.size());
    std::string head = text.substr(0, word);
    bool good = result_.outcome == Outcome::kPatched;
    line(palette_.bold(good ? palette_.green(head) : palette_.yellow(head)) + text.substr(word));
  }

  void proposal(std::size_t index) {
    const Proposal& proposal = result_.proposals[index];
    const Candidate& candidate = proposal.candidate;
    line();
    if (result_.proposals.size() > 1) {
      line(palette_.bold(fmt::format("Patch {} of {}: ", index + 1, result_.proposals.size())) +
           printable(candidate.summary));
    }
    diff(proposal.diff);
    line();
    field("Cause", candidate.cause);
    field("Warning", label_of(candidate.silencing));
    field("Confidence", confidence(proposal));
    field("Rerun", rerun(proposal));
    if (explaining()) {
      field("Pattern", fmt::format("{} / {} ({}), rank {}", candidate.pattern, candidate.rewrite,
                                   candidate.family, proposal.rank));
    }
  }

  static std::string confidence(const Proposal& proposal) {
    std::string text =
        fmt::format("{} ({:.2f})", in_words(proposal.confidence), proposal.confidence);
    if (!proposal.confidence_reasons.empty())
      text += ": " + join(proposal.confidence_reasons, "; ");
    return text;
  }

  static std::string rerun(const Proposal& proposal) {
    std::vector<std::string> lines;
    for (const Rerun& run : proposal.rerun) {
      lines.push_back(fmt::format("{} in {:.1f} s{}  {}", to_string(run.verdict), run.seconds,
                                  run.origin == Origin::kCache ? " (by an earlier job)" : "",
                                  run.what));
    }
    if (!proposal.not_rerun.empty()) lines.push_back(proposal.not_rerun);
    return join(lines, "\n");
  }

  void diff(const std::string& diff) {
    if (style_.sink == Sink::kFile) {
      text_ += diff;
      return;
    }
    for (std::string_view each : split_lines(diff)) line(diff_line(printable(each)));
  }

  std::string diff_line(const std::string& text) const {
    for (std::string_view head : {"diff ", "index ", "--- ", "+++ ", "new file", "deleted file"}) {
      if (text.starts_with(head)) return palette_.bold(text);
    }
    if (text.starts_with("@@")) return palette_.cyan(text);
    if (text.starts_with('-')) return palette_.red(text);
    if (text.starts_with('+')) return palette_.green(text);
    return text;
  }

  void why_not() {
    line();
    if (result_.failure.kind != FailureKind::kUnknown) field("Failure", result_.failure.headline());
    field("Missing", in_words(result_.lack));
    if (!explaining()) field("Suspects", suspects());
    if (result_.candidates > 0) {
      field("Tried", fmt::format("{}; {} made the check pass",
                                 counted(result_.candidates, "candidate"), result_.plausible));
    }
  }

  std::string suspects() const {
    std::vector<std::string> lines;
    for (const Location& location : result_.locations) {
      if (lines.size() == kSuspectsShown) break;
      lines.push_back(suspect(location));
    }
    return join(lines, "\n");
  }

  static std::string suspect(const Location& location) {
    std::string text = place(location.file, location.line);
    if (!location.function.empty()) text += fmt::format(" in {}", location.function);
    if (!location.reasons.empty()) text += ": " + join(location.reasons, "; ");
    return text;
  }

  void withheld() {
    std::vector<std::string> lines;
    for (const Proposal& proposal : result_.withheld) {
      const Candidate& candidate = proposal.candidate;
      std::string text =
          fmt::format("{} at {}: {}", candidate.pattern, place(candidate), candidate.summary);
      if (candidate.silencing != Silencing::kNo)
        text += fmt::format("; {}", label_of(candidate.silencing));
      lines.push_back(fmt::format("{}; confidence {}", text, confidence(proposal)));
    }
    field("Withheld", join(lines, "\n"));
    if (!explaining()) return;
    for (const Proposal& proposal : result_.withheld) {
      line();
      line(palette_.dim("Withheld, do not apply without thought:"));
      diff(proposal.diff);
    }
  }

  void explain() {
    line();
    line(palette_.bold("Places, most suspicious first"));
    for (const Location& location : result_.locations) {
      line(fmt::format("  {:.3f}  {}", location.suspiciousness, printable(suspect(location))));
    }
    line();
    line(palette_.bold("Trials, in rank order"));
    for (std::size_t i = 0; i < result_.trials.size(); ++i) trial(i + 1, result_.trials[i]);
    rejections();
    if (result_.tiers.empty()) return;
    line();
    line(palette_.bold("Check runs by tier"));
    for (const auto& [tier, runs] : result_.tiers) line(fmt::format("  {:<10} {}", tier, runs));
  }

  void rejections() {
    std::vector<std::string> lines;
    for (Refutation::Rule rule : Refutation::kRules) {
      std::size_t count = rejected_by(rule, result_.trials);
      if (count == 0) continue;
      lines.push_back(fmt::format("  {:<10} {} ({:.1f} % of those tried)", to_string(rule), count,
                                  100.0 * double(count) / double(result_.trials.size())));
    }
    if (lines.empty()) return;
    line();
    line(palette_.bold("Rejected without a run, by rule"));
    for (const std::string& each : lines) line(each);
  }

  /// How the check fails with a candidate, where that is known.
  static std::string failing(const Trial& trial) {
    if (!trial.failure) return "";
    std::string text = trial.failure->type;
    if (!trial.failure->message.empty()) text += ": " + trial.failure->message;
    if (trial.failure->frames.empty()) return text;
    const Frame& frame = trial.failure->frames.back();
    return text + fmt::format(" ({})", place(frame.file, frame.line));
  }

  void trial(std::size_t rank, const Trial& trial) {
    std::string verdict = fmt::format("{:<14}", to_string(trial.verdict));
    if (trial.verdict == Verdict::kPassed) verdict = palette_.green(verdict);
    std::string text =
        fmt::format("  {:>4}  {} {:<8}{:>7.2f}s {:>8.3f}  {}/{} at {}: {}", rank, verdict,
                    to_string(trial.tier), trial.seconds, trial.score, trial.pattern, trial.rewrite,
                    place(trial.file, trial.line), printable(trial.summary));
    if (trial.origin == Origin::kCache) text += palette_.dim(" [from the cache]");
    if (trial.silencing != Silencing::kNo) text += palette_.yellow(" [silencing]");
    line(text);
    for (const std::string& why : {trial.reason, trial.tier_reason, failing(trial)}) {
      if (!why.empty()) line(palette_.dim(fmt::format("        {}", printable(why))));
    }
  }

  void sandbox() {
    if (!result_.weakenings.empty())
      field("Sandbox", "weaker than usual: " + join(result_.weakenings, "; "));
  }

  void costs() {
    const Costs& costs = result_.costs;
    std::string text = fmt::format("{:.1f} s, {}", costs.seconds,
                                   counted(std::size_t(costs.check_runs), "check run"));
    if (costs.cached_runs > 0)
      text += fmt::format(", {} from the cache of earlier jobs", costs.cached_runs);
    if (explaining()) {
      text += fmt::format(
          " ({:.1f} s of search; {:.1f} s in check runs; {:.2f} s CPU of suture itself)",
          costs.search_seconds, costs.check_seconds, costs.own_cpu_seconds);
    }
    field("Cost", text);
  }

  void next() {
    if (!context_.applied.empty()) {
      field("Applied", join(context_.applied, "\n"));
    } else if (!result_.proposals.empty() && !context_.apply_command.empty()) {
      field("Next", "apply with: " + context_.apply_command);
    } else {
      field("Next", next_step(result_));
    }
  }

  const RepairResult& result_;
  const JobContext& context_;
  const TextStyle& style_;
  const Palette& palette_;
  std::string text_;
};

}  // namespace

std::string outcome_line(const RepairResult& result) {
  std::string line(to_string(result.outcome));
  if (!result.proposals.empty()) {
    const Candidate& best = result.proposals.front().candidate;
    return fmt::format("{}: {} ({})", line, best.summary, place(best));
  }
  const std::string& why = result.reason.empty() ? result.advice : result.reason;
  return why.empty() ? line : fmt::format("{}: {}", line, why);
}

std::string render_text(const RepairResult& result, const JobContext& context,
                        const TextStyle& style) {
  return Page(result, context, style).render();
}

}  // namespace suture
