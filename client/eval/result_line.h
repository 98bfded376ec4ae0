#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/job.h"

namespace suture {

/// One line of `suture eval --out`: SWE-bench's prediction fields and ours, in the order and with
/// the names of shared/bugs/README.md.
struct ResultLine {
  std::string instance_id;
  std::string model_name_or_path;  ///< "suture 0.1.0"
  std::string model_patch;         ///< unified diff, or empty
  std::string withheld_patch;      ///< a plausible patch below the threshold, else empty
  std::string outcome;             ///< word of suture::Outcome
  double confidence = 0;           ///< this and the next three are of whichever patch there is
  std::string pattern;
  std::string file;
  int line = 0;
  double seconds = 0;          ///< wall
  double own_cpu_seconds = 0;  ///< suture itself, its start included
  std::int64_t check_runs = 0;
  double check_seconds = 0;
  std::int64_t candidates = 0;
  std::int64_t plausible = 0;
  int rank_first_plausible = 0;  ///< 1-based; 0: none
  std::string reason;  ///< why no patch; begins with "place: ", "ingredient: " or "budget: " where
                       ///< it can be told which of them was lacking
  std::map<std::string, std::int64_t> tiers;
  double fresh_seconds = 0;  ///< of check_seconds, in fresh processes; `tiers` says how many
  std::vector<std::string> weakenings;  ///< of the sandbox; written only when there are any

  bool operator==(const ResultLine&) const = default;
};

/// What a repair came to, as a line without `instance_id` and `model_name_or_path`.
ResultLine result_line_of(const RepairResult& result);

/// One line of JSON without a newline; times are rounded to milliseconds. Bytes of a patch that are
/// not UTF-8 become U+FFFD, because JSON cannot hold them.
std::string write_result_line(const ResultLine& line);

/// The same as JSON, and back: what is missing or of another type keeps its default.
nlohmann::ordered_json to_json(const ResultLine& line);
ResultLine result_line_from(const nlohmann::ordered_json& fields);

/// Reads a line. Needs `instance_id` and `outcome`; what else is missing keeps its default, and
/// other fields are left out. Errors: kBadInput.
Result<ResultLine> read_result_line(std::string_view text);

}  // namespace suture
