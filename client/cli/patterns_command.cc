#include "client/cli/patterns_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "client/cli/catalogue_page.h"
#include "client/cli/exit_code.h"
#include "client/cli/pattern_schema.h"
#include "client/cli/standard_output.h"
#include "client/present/reliability.h"
#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/propose/catalogue.h"
#include "repair/propose/pattern_test.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

/// What the subcommands have in common.
struct PatternOptions {
  std::vector<std::string> folders;  ///< besides the built-in catalogue
  std::vector<std::string> names;    ///< ids, families or files
  bool json = false;
};

constexpr std::string_view kNewPattern = R"yaml(id: {id}
family: conditional            # conditional, parameter, version-compat or other
summary: say what the change does, with `$VALUE` where a name belongs
cause: "One or two sentences that a maintainer understands."
rationale: >
  Why this mistake is made, and why this is the fix.
prior: {{exception: 0.1, default: 0.005}}
when:                          # leave out for patterns that need no special failure
  - {{type: TypeError, message: "unsupported operand .*'(?P<GOT>\\w+)'"}}
match:
  at: [failing, executed]      # roles of places; see `suture patterns reference`
  any: ["$VALUE + $OTHER"]
where:
  - observed: {{hole: $VALUE, type: str}}
rewrites:
  - name: convert
    edits: [{{replace: $VALUE, with: "int($VALUE)"}}]
tests:
  fixes:
    - name: a number read as text
      before: |
        def total(width, gap):
            return width + gap
      failure: "TypeError: unsupported operand type(s) for +: 'int' and 'str'"
      failing: width + gap
      observed: {{width: str, gap: int}}
      after: |
        def total(width, gap):
            return int(width) + gap
    - name: another one that has nothing in common with the first
      before: |
        count = limit + 1
      failure: "TypeError: unsupported operand type(s) for +: 'int' and 'str'"
      failing: limit + 1
      observed: {{limit: str}}
      after: |
        count = int(limit) + 1
  leaves:
    - name: numbers already
      before: |
        def total(width, gap):
            return width + gap
      failure: "TypeError: unsupported operand type(s) for +: 'int' and 'str'"
      failing: width + gap
      observed: {{width: int, gap: str}}
    - name: another failure
      before: |
        def total(width, gap):
            return width + gap
      failure: "NameError: name 'gap' is not defined"
      failing: gap
)yaml";

Result<Catalogue> load_catalogue(const PatternOptions& options) {
  std::vector<fs::path> folders = {share_folder("patterns")};
  folders.insert(folders.end(), options.folders.begin(), options.folders.end());
  return Catalogue::load(folders);
}

/// The patterns that the names mean: files as they are, else ids and families of the
/// catalogue.
Result<std::vector<Pattern>> chosen(const PatternOptions& options) {
  std::vector<Pattern> patterns;
  std::vector<std::string> words;
  for (const std::string& name : options.names) {
    if (!name.ends_with(".yaml")) {
      words.push_back(name);
      continue;
    }
    TRY(std::string text, read_file(name));
    TRY(Pattern pattern, load_pattern(text, name));
    patterns.push_back(std::move(pattern));
  }
  if (words.empty() && !options.names.empty()) return patterns;
  TRY(Catalogue catalogue, load_catalogue(options));
  TRY_STATUS(catalogue.select(words, {}));
  patterns.insert(patterns.end(), catalogue.patterns().begin(), catalogue.patterns().end());
  return patterns;
}

nlohmann::json to_json(const Pattern& pattern) {
  nlohmann::json languages = nlohmann::json::array(), rewrites = nlohmann::json::array();
  for (Language language : pattern.languages) languages.push_back(std::string(to_string(language)));
  for (const Rewrite& rewrite : pattern.rewrites) rewrites.push_back(rewrite.name);
  return {{"id", pattern.id},
          {"family", pattern.family},
          {"summary", pattern.summary},
          {"languages", languages},
          {"rewrites", rewrites},
          {"default_prior", pattern.default_prior},
          {"path", pattern.path},
          {"scan", pattern.scan.has_value()},
          {"tests", pattern.fixes.size() + pattern.finds.size() + pattern.leaves.size()}};
}

Result<std::string> list(const PatternOptions& options) {
  TRY(std::vector<Pattern> patterns, chosen(options));
  if (options.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const Pattern& pattern : patterns) all.push_back(to_json(pattern));
    return nlohmann::json{{"schema_version", 1}, {"patterns", all}}.dump(2) + "\n";
  }
  std::string text;
  for (const Pattern& pattern : patterns) {
    text += fmt::format("{:<28} {:<15} {}\n", pattern.id, pattern.family, pattern.summary);
  }
  return text + fmt::format("{} patterns\n", patterns.size());
}

Result<std::string> show(const PatternOptions& options) {
  TRY(std::vector<Pattern> patterns, chosen(options));
  std::string text;
  for (const Pattern& pattern : patterns) {
    TRY(std::string source, read_file(pattern.path));
    text += fmt::format("# {}\n{}", pattern.path, source);
  }
  return text;
}

/// The tests' verdicts as text; `failed` counts those that do not hold.
Result<std::string> test(const PatternOptions& options, std::size_t& failed) {
  TRY(std::vector<Pattern> patterns, chosen(options));
  std::string text;
  std::size_t passed = 0;
  for (const Pattern& pattern : patterns) {
    for (const TestOutcome& outcome : run_tests(pattern)) {
      outcome.passed() ? ++passed : ++failed;
      if (outcome.passed() && options.names.empty()) continue;
      text +=
          fmt::format("{:<9} {} / {}{}", to_string(outcome.verdict), pattern.id, outcome.test->name,
                      outcome.how == TestOutcome::How::kScan ? ", scanned" : "");
      if (outcome.position > 0)
        text += fmt::format(" (candidate {} of {})", outcome.position, outcome.candidates);
      text += "\n" + outcome.shown;
    }
  }
  return text + fmt::format("{} passed, {} failed\n", passed, failed);
}

Result<std::string> create(const PatternOptions& options) {
  const std::string& id = options.names.front();
  fs::path path = id + ".yaml";
  if (fs::exists(path))
    return fail(ErrorKind::kUsage, fmt::format("{} exists already", path.string()));
  TRY_STATUS(
      write_file_atomically(path, fmt::format(fmt::runtime(kNewPattern), fmt::arg("id", id))));
  return fmt::format("wrote {}; try it with: suture patterns test {}\n", path.string(),
                     path.string());
}

Result<std::string> page(const PatternOptions& options) {
  TRY(Catalogue catalogue, load_catalogue(options));
  TRY(CatalogueRecord known, load_record(share_folder("patterns") / "record.yaml"));
  return catalogue_page(catalogue, known);
}

Result<std::string> confidence() {
  TRY(ConfidenceModel model,
      ConfidenceModel::load((share_folder("patterns") / "confidence.yaml").string()));
  return confidence_page(model);
}

Result<std::string> record(const std::string& details) {
  TRY(CatalogueRecord counted, count_record(details));
  return to_yaml(counted);
}

int finish(const Result<std::string>& text) {
  if (!text) return report_error(text.error());
  Status written = write_to_standard_output(*text);
  return written ? kExitPatched : report_error(written.error());
}

}  // namespace

void add_patterns_command(CLI::App& app, const GlobalOptions&, int& exit_code) {
  auto options = std::make_shared<PatternOptions>();
  CLI::App* group = app.add_subcommand("patterns", "List, show, test and write patterns");
  group->require_subcommand(1);
  auto add = [&](const char* name, const char* help) {
    CLI::App* command = group->add_subcommand(name, help);
    command->add_option("--patterns", options->folders, "Further pattern folders");
    return command;
  };

  CLI::App* list_command = add("list", "The patterns, a line each");
  list_command->add_option("names", options->names, "Ids or families");
  list_command->add_flag("--json", options->json, "As JSON");
  list_command->callback([options, &exit_code] { exit_code = finish(list(*options)); });

  CLI::App* show_command = add("show", "The files of patterns");
  show_command->add_option("names", options->names, "Ids or families")->required();
  show_command->callback([options, &exit_code] { exit_code = finish(show(*options)); });

  CLI::App* test_command = add("test", "Run the tests that patterns carry");
  test_command->add_option("names", options->names, "Ids, families or files; all when left out");
  test_command->callback([options, &exit_code] {
    std::size_t failed = 0;
    exit_code = finish(test(*options, failed));
    if (exit_code == kExitPatched && failed > 0) exit_code = kExitNoPatch;
  });

  CLI::App* new_command = add("new", "Write a pattern file to start from, into the current folder");
  new_command->add_option("id", options->names, "Id of the pattern, in kebab case")
      ->required()
      ->expected(1);
  new_command->callback([options, &exit_code] { exit_code = finish(create(*options)); });

  CLI::App* reference_command =
      add("reference", "What pattern files can name: anchors, operators, predicates, providers");
  reference_command->callback([&exit_code] { exit_code = finish(pattern_reference()); });

  CLI::App* page_command = add("page", "The catalogue as Markdown: every pattern with an example");
  page_command->callback([options, &exit_code] { exit_code = finish(page(*options)); });

  CLI::App* confidence_command = group->add_subcommand(
      "confidence", "How confidence is made and how reliable it is, as Markdown");
  confidence_command->callback([&exit_code] { exit_code = finish(confidence()); });

  CLI::App* record_command = group->add_subcommand(
      "record", "What became of each pattern's candidates, from what `suture eval` wrote");
  auto details = std::make_shared<std::string>();
  record_command->add_option("--details", *details, "Folder that `suture eval --details` wrote")
      ->required()
      ->type_name("DIR");
  record_command->callback([details, &exit_code] { exit_code = finish(record(*details)); });

  CLI::App* schema_command = add("schema", "The JSON Schema of pattern files, for editors");
  schema_command->callback([&exit_code] { exit_code = finish(pattern_schema().dump(1) + "\n"); });
}

}  // namespace suture
