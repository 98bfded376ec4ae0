#include "repair/propose/pattern_test.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>

#include "repair/base/text.h"
#include "repair/propose/findings.h"
#include "repair/propose/propose.h"

namespace suture {
namespace {

/// Installed packages as a test describes them.
class ToldInstalled final : public Installed {
 public:
  explicit ToldInstalled(const PatternTest& test) : test_(test) {}
  bool has_module(const std::string& module) override { return test_.installed.contains(module); }
  std::vector<std::string> names_of(const std::string& module) override {
    auto at = test_.installed.find(module);
    return at == test_.installed.end() ? std::vector<std::string>{} : at->second;
  }
  std::vector<Export> exporters(const std::string& name, const std::string& near) override {
    std::vector<Export> found;
    std::string top = split(near, '.').front();
    for (const auto& [module, names] : test_.installed) {
      bool has = std::find(names.begin(), names.end(), name) != names.end();
      if (has && split(module, '.').front() == top) found.push_back({module, name, "value"});
    }
    return found;
  }
  std::optional<std::vector<Parameter>> signature(const std::string& callable) override {
    auto at = test_.signatures.find(callable);
    if (at == test_.signatures.end()) return std::nullopt;
    auto file =
        SourceFile::parse("signature", "def f" + at->second + ": pass\n", Language::kPython);
    if (!file) return std::nullopt;
    std::vector<Parameter> parameters;
    for (const ParameterSyntax& p : parameters_of((*file)->root().named_child(0))) {
      Parameter parameter{p.name, Parameter::Kind::kPositionalOrKeyword, p.has_default,
                          p.default_text};
      if (p.prefix == "**") parameter.kind = Parameter::Kind::kVarKeyword;
      if (p.prefix == "*") parameter.kind = Parameter::Kind::kVarPositional;
      parameters.push_back(parameter);
    }
    return parameters;
  }
  std::string version(const std::string&) override { return "1.0"; }

 private:
  const PatternTest& test_;
};

Failure failure_of(const PatternTest& test) {
  Failure failure;
  std::size_t colon = test.failure.find(": ");
  failure.type = test.failure.substr(0, colon);
  failure.message = colon == std::string::npos ? "" : test.failure.substr(colon + 2);
  std::string_view type = failure.type_name();
  failure.kind = type.empty() || type == "AssertionError"                 ? FailureKind::kAssertion
                 : type == "ImportError" || type == "ModuleNotFoundError" ? FailureKind::kImport
                 : type == "SyntaxError" || type == "IndentationError"    ? FailureKind::kSyntax
                                                                          : FailureKind::kException;
  return failure;
}

int line_with(std::string_view text, std::string_view piece) {
  std::size_t at = piece.empty() ? std::string_view::npos : text.find(piece);
  return at == std::string_view::npos
             ? 0
             : 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
}

/// The failing frame, with the columns of the failing piece.
LiveFrame failing_frame(const PatternTest& test, SourceTree& tree) {
  LiveFrame frame;
  frame.file = test.failing_file;
  frame.in_tree = true;
  frame.locals = test.observed;
  const SourceFile* file = tree.source(test.failing_file);
  std::size_t at = file->text().find(test.failing);
  if (at == std::string_view::npos) return frame;
  Range range{std::uint32_t(at), std::uint32_t(at + test.failing.size())};
  Node node = file->node_at(range);
  frame.at = {file->line_of(range.start), file->line_of(range.end - 1),
              int(range.start - file->line_start(file->line_of(range.start))),
              int(range.end - file->line_start(file->line_of(range.end - 1)))};
  Node function = enclosing_function(node);
  frame.function = function ? std::string(function.field("name").text()) : "<module>";
  frame.qualname = function ? qualified_name(function) : "<module>";
  frame.first_line = function ? function.line() : 1;
  return frame;
}

/// Evidence as if the check had failed in the marked place and run every line.
Evidence evidence_of(const PatternTest& test, SourceTree& tree) {
  Evidence evidence;
  evidence.python_version = "3.11.0";
  evidence.operands = test.operands;
  for (const auto& [path, text] : test.before) {
    const SourceFile* file = tree.source(path);
    if (file == nullptr) continue;
    int lines = int(split_lines(text).size());
    for (int line = 1; line <= lines; ++line) evidence.executed[path].insert(line);
    walk(file->root(), [&, path = path](Node node) {
      if (node.kind() == "function_definition") {
        CalledFunction call;
        call.file = path;
        call.qualname = qualified_name(node);
        call.first_line = node.line();
        call.calls = 1;
        for (int line = node.line(); line <= node.end_line(); ++line) call.lines.insert(line);
        call.locals = test.observed;
        evidence.called.push_back(std::move(call));
      }
      return true;
    });
  }
  if (!test.failing.empty() && !test.failure.empty()) {
    Failure failure = failure_of(test);
    LiveException exception;
    exception.type = failure.type;
    exception.message = failure.message;
    const SourceFile* file = tree.source(test.failing_file);
    if (int line = line_with(file->text(), test.calls); line > 0) {
      LiveFrame outer;
      outer.file = test.failing_file;
      outer.in_tree = true;
      outer.at = {line, line, -1, -1};
      outer.function = "<module>";
      outer.locals = test.observed;
      exception.frames.push_back(std::move(outer));
    }
    exception.frames.push_back(failing_frame(test, tree));
    evidence.exceptions.push_back(std::move(exception));
  }
  return evidence;
}

/// Every line is a location; the failing one is the most suspicious.
SuspicionMap suspicion_of(const PatternTest& test) {
  std::vector<Location> locations;
  for (const auto& [path, text] : test.before) {
    bool own = path == test.failing_file;
    int failing = own ? line_with(text, test.failing) : 0,
        calling = own ? line_with(text, test.calls) : 0;
    int lines = int(split_lines(text).size());
    for (int line = 1; line <= lines; ++line) {
      Location location;
      location.file = path;
      location.line = location.end_line = line;
      location.suspiciousness = 0.3;
      location.roles = {Role::kExecuted, Role::kOrigin, Role::kDefinition, Role::kReturned,
                        Role::kImport,   Role::kModule, Role::kCallee};
      if (line == failing) location.roles.add(Role::kFailing), location.suspiciousness = 1;
      if (line == calling) location.roles.add(Role::kCaller), location.suspiciousness = 0.7;
      locations.push_back(std::move(location));
    }
  }
  std::stable_sort(locations.begin(), locations.end(), [](const Location& a, const Location& b) {
    return a.suspiciousness > b.suspiciousness;
  });
  return SuspicionMap(std::move(locations));
}

bool same_text(std::string_view a, std::string_view b) { return trim(a) == trim(b); }

bool is_expected(const Candidate& candidate, const PatternTest& test) {
  for (const auto& [path, content] : test.after) {
    auto at = candidate.files.find(path);
    if (at == candidate.files.end() || !same_text(at->second, content)) return false;
  }
  return candidate.files.size() == test.after.size();
}

double merit(const Candidate& candidate) {
  double sum = 0;
  for (const char* name : {"prior", "suspicion", "ingredient", "fit", "in_range"})
    sum += candidate.features.at(name);
  return sum;
}

TestOutcome run_test(const Pattern& pattern, const PatternTest& test) {
  TestOutcome outcome;
  outcome.test = &test;
  std::map<std::string, std::string> files = test.before;
  auto tree = SourceTree::in_memory(files);
  ToldInstalled installed(test);
  Failure failure = failure_of(test);
  Evidence evidence = evidence_of(test, *tree);
  SuspicionMap suspicion = suspicion_of(test);
  ProposeInput input{failure, evidence, *tree, installed, suspicion, test.check};
  std::vector<Candidate> candidates = propose(input, Catalogue::of({pattern}));
  std::erase_if(candidates, [&](Candidate& candidate) { return !materialise(candidate, *tree); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](auto& a, auto& b) { return merit(a) > merit(b); });
  outcome.candidates = candidates.size();
  if (test.after.empty()) {
    outcome.verdict = candidates.empty() ? TestVerdict::kValidated : TestVerdict::kNoisy;
  } else {
    auto expected = std::find_if(candidates.begin(), candidates.end(),
                                 [&](auto& c) { return is_expected(c, test); });
    bool found = expected != candidates.end();
    outcome.position = found ? std::size_t(expected - candidates.begin()) + 1 : 0;
    bool early =
        found && (test.at_most_rank == 0 || outcome.position <= std::size_t(test.at_most_rank));
    outcome.verdict = candidates.empty() ? TestVerdict::kMissing
                      : early            ? TestVerdict::kReported
                                         : TestVerdict::kWrong;
  }
  if (!outcome.passed()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(candidates.size(), 4); ++i) {
      for (const auto& [path, content] : candidates[i].files) {
        outcome.shown += fmt::format("--- candidate {} ({}), {}\n{}\n", i + 1,
                                     candidates[i].rewrite, path, trim(content));
      }
    }
  }
  return outcome;
}

/// The findings of all files, and what is left when all of their fixes are made.
struct ScanResult {
  std::vector<Finding> findings;
  std::map<std::string, std::string> files;
};

ScanResult scan_files(const StaticPatterns& patterns, const PatternTest& test) {
  ScanResult result;
  for (const auto& [path, text] : test.before) {
    auto found = patterns.in(path, text);
    if (!found) continue;
    std::vector<Edit> edits;
    for (const Finding& finding : found->findings) {
      for (const FixStep& step : finding.fix) edits.push_back(step.edit);
    }
    if (auto fixed = apply_edits(text, edits); fixed && !edits.empty()) result.files[path] = *fixed;
    result.findings.insert(result.findings.end(), found->findings.begin(), found->findings.end());
  }
  return result;
}

TestOutcome scan_test(const StaticPatterns& patterns, const PatternTest& test,
                      TestVerdict when_found, TestVerdict when_not) {
  ScanResult result = scan_files(patterns, test);
  TestOutcome outcome;
  outcome.test = &test;
  outcome.how = TestOutcome::How::kScan;
  outcome.candidates = result.findings.size();
  outcome.verdict = result.findings.empty() ? when_not : when_found;
  bool as_expected = result.files.size() == test.after.size() &&
                     std::all_of(test.after.begin(), test.after.end(), [&](const auto& file) {
                       auto at = result.files.find(file.first);
                       return at != result.files.end() && same_text(at->second, file.second);
                     });
  if (outcome.verdict == TestVerdict::kReported && !test.after.empty() && !as_expected)
    outcome.verdict = TestVerdict::kWrong;
  if (!outcome.passed()) {
    for (const Finding& finding : result.findings)
      outcome.shown += fmt::format("--- line {}: {}\n", finding.start.line, finding.message);
    for (const auto& [path, text] : result.files)
      outcome.shown += fmt::format("--- fixed, {}\n{}\n", path, trim(text));
  }
  return outcome;
}

void run_scan_tests(const Pattern& pattern, std::vector<TestOutcome>& outcomes) {
  Catalogue catalogue = Catalogue::of({pattern});
  StaticPatterns patterns(catalogue);
  for (const auto* tests : {&pattern.fixes, &pattern.finds}) {
    for (const PatternTest& test : *tests) {
      if (!test.has_evidence())
        outcomes.push_back(
            scan_test(patterns, test, TestVerdict::kReported, TestVerdict::kMissing));
    }
  }
  for (const PatternTest& test : pattern.leaves) {
    if (!test.has_evidence())
      outcomes.push_back(scan_test(patterns, test, TestVerdict::kNoisy, TestVerdict::kValidated));
  }
}

}  // namespace

std::string_view to_string(TestVerdict verdict) {
  switch (verdict) {
    case TestVerdict::kReported:
      return "reported";
    case TestVerdict::kValidated:
      return "validated";
    case TestVerdict::kMissing:
      return "missing";
    case TestVerdict::kWrong:
      return "wrong";
    case TestVerdict::kNoisy:
      return "noisy";
  }
  return "missing";
}

std::vector<TestOutcome> run_tests(const Pattern& pattern) {
  std::vector<TestOutcome> outcomes;
  if (pattern.repairs()) {
    for (const auto* tests : {&pattern.fixes, &pattern.leaves}) {
      for (const PatternTest& test : *tests) outcomes.push_back(run_test(pattern, test));
    }
  }
  if (pattern.scan) run_scan_tests(pattern, outcomes);
  return outcomes;
}

}  // namespace suture
