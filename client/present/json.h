#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "client/present/job_context.h"
#include "repair/job.h"

namespace suture {

/// All of a result as JSON. Keys are stable: schema_version changes when the meaning of one does or
/// when one goes; new keys may come. Everything that differs between two runs with one seed, times
/// above all, stands under "costs", so that leaving that key out makes results comparable.
nlohmann::ordered_json to_json(const RepairResult& result, const JobContext& context);

/// The same as text, two blanks a level, with a final newline. Invalid UTF-8 becomes U+FFFD; a diff
/// that has such bytes comes a second time as "diff_base64".
std::string render_json(const RepairResult& result, const JobContext& context);

}  // namespace suture
