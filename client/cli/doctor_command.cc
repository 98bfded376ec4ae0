#include "client/cli/doctor_command.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "client/cli/doctor.h"
#include "client/cli/exit_code.h"
#include "client/cli/standard_output.h"
#include "client/cli/version.h"
#include "client/present/palette.h"

namespace suture {

void add_doctor_command(CLI::App& app, const GlobalOptions& global, ProcessRunner& processes,
                        int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("doctor", "Say what this machine lacks and what that costs");
  command->add_flag("--json", *json, "As JSON");
  command->footer("Exit code 0 when repairs can run here, else 5.");
  command->callback([json, &global, &processes, &exit_code] {
    auto findings = examine_machine(std::filesystem::current_path(), processes, global.cancel);
    Palette palette = palette_for(global.colour, sink_of(STDOUT_FILENO), std::getenv);
    std::string text = *json ? findings_to_json(findings, version()).dump(2) + "\n"
                             : render_findings(findings, palette);
    Status written = write_to_standard_output(text);
    exit_code = !written                    ? report_error(written.error())
                : repairs_can_run(findings) ? kExitPatched
                                            : kExitInfrastructure;
  });
}

}  // namespace suture
