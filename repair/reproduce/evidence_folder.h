#pragma once

#include <filesystem>
#include <string>

#include "repair/base/result.h"
#include "repair/reproduce/evidence.h"

namespace suture {

/// The file that the first Python process of a traced run writes; later ones append ".1", ".2" ...
inline constexpr const char* kEvidenceFile = "evidence.json";

/// Reads what the processes of one traced run left in a folder. The first process speaks for the
/// run, unless it only waited for another one: then the child that has something to tell does (a
/// launcher and its workers, a shell script with several programs). `red`: whether the run failed;
/// an exception that left the check's own code then counts as what ended it where nothing better is
/// known. Errors: kInfra when no process left anything of use.
Result<Evidence> read_evidence_folder(const std::filesystem::path& folder, bool red);

/// Rewrites absolute paths of the check that lie below `from` to lie below `to`: a run may have
/// used a copy of the tree at another place.
void move_paths(Evidence& evidence, const std::string& from, const std::string& to);

}  // namespace suture
