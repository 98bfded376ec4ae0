#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "client/present/palette.h"
#include "repair/base/cancel.h"
#include "repair/process/process_runner.h"

namespace suture {

/// One thing that repairs use, and how it is on this machine.
struct Finding {
  enum class State {
    kGood,
    kLimited,   ///< repairs work, at the cost that is named
    kBlocking,  ///< repairs do not run
  };
  std::string id;  ///< stable: "sandbox", "interpreter"
  State state = State::kGood;
  std::string found;   ///< what is there, or that nothing is
  std::string cost;    ///< what lacking it means; empty for kGood
  std::string remedy;  ///< what to do about it; may be empty
};

/// Looks at this machine. Starts small programs (the interpreter, bubblewrap, compilers asked for
/// their versions); changes nothing but a temporary folder that is gone at the end. The most needed
/// things come first.
std::vector<Finding> examine_machine(const std::filesystem::path& tree, ProcessRunner& processes,
                                     const CancelToken& cancel);

/// Whether `suture repair` can run.
bool repairs_can_run(const std::vector<Finding>& findings);

std::string render_findings(const std::vector<Finding>& findings, const Palette& palette);
/// {"schema_version", "suture_version", "repairs_can_run", "findings": [{"id", "state", "found",
/// "cost", "remedy"}]}
nlohmann::ordered_json findings_to_json(const std::vector<Finding>& findings,
                                        const std::string& version);

}  // namespace suture
