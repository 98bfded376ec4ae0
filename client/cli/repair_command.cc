#include "client/cli/repair_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include "client/cli/apply_proposal.h"
#include "client/cli/exit_code.h"
#include "client/cli/repair_options.h"
#include "client/cli/shell_words.h"
#include "client/cli/standard_output.h"
#include "client/present/format.h"
#include "client/present/progress.h"

namespace suture {
namespace {

/// One `suture repair` from options to exit code.
class RepairCommand {
 public:
  RepairCommand(const RepairOptions& options, const RepairProgram& program)
      : options_(options), program_(program) {}

  int run() {
    auto job = prepare_repair(options_, program_.processes, program_.global.cancel);
    if (!job) return report_error(job.error());
    for (const std::string& note : job->notes) say(note);
    std::size_t told = job->notes.size();
    auto result = search(*job);
    for (; told < job->notes.size(); ++told) say(job->notes[told]);
    if (!result) return report_error(result.error());
    return finish(*result, *job);
  }

 private:
  Result<RepairResult> search(RepairJob& job) {
    Tee events;
    events.add(make_progress(program_.global.verbosity, clock_));
    if (!options_.events.empty()) {
      auto file = std::make_unique<std::ofstream>(options_.events);
      if (!*file)
        return fail(ErrorKind::kBadInput, fmt::format("cannot write {}", options_.events));
      events.add(std::make_unique<JsonLines>(std::move(file), clock_));
    }
    return program_.run(job, events, program_.global.cancel);
  }

  int finish(const RepairResult& result, RepairJob& job) {
    Status applied = apply(result, job);
    if (job.context.applied.empty()) job.context.apply_command = apply_command();
    Status written = write_to_standard_output(
        render(*format_from(options_.format), result, job.context, style()));
    // Standard output may be a patch or a document, which a person does not see.
    if (options_.format != "text") say(outcome_line(result));
    if (!applied) return report_error(applied.error());
    if (!written) return report_error(written.error());
    return exit_code(result.outcome);
  }

  Status apply(const RepairResult& result, RepairJob& job) {
    if (!options_.apply || result.outcome != Outcome::kPatched || result.proposals.empty())
      return {};
    TRY(job.context.applied, apply_proposal(job.user_tree, result.proposals.front()));
    return {};
  }

  /// A report from standard input is gone; then there is no line that could simply be typed again.
  std::string apply_command() const {
    std::string line = shell_line(program_.command_line) + " --apply";
    return options_.report == "-" ? "... | " + line : line;
  }

  TextStyle style() const {
    Sink sink = sink_of(STDOUT_FILENO);
    return {palette_for(program_.global.colour, sink, std::getenv), sink,
            options_.explain ? TextStyle::Detail::kExplain : TextStyle::Detail::kBrief};
  }

  void say(const std::string& text) {
    if (program_.global.verbosity != Verbosity::kQuiet)
      std::cerr << "suture: " << printable(text) << '\n';
  }

  const RepairOptions& options_;
  const RepairProgram& program_;
  SystemClock clock_;
};

}  // namespace

void add_repair_command(CLI::App& app, RepairProgram program) {
  auto options = std::make_shared<RepairOptions>();
  CLI::App* command =
      app.add_subcommand("repair", "Find a small patch that makes a failing check pass");
  add_repair_options(*command, *options);
  command->callback([options, program = std::move(program)] {
    program.exit_code = RepairCommand(*options, program).run();
  });
}

}  // namespace suture
