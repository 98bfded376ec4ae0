#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "client/eval/dataset.h"
#include "client/eval/result_line.h"

namespace suture {

/// Numbers over a group of bugs. The tool cannot know how many are really fixed: `bugs.py score`
/// says.
struct TableRow {
  std::string name;
  std::size_t bugs = 0;       ///< that could be tried: INFRA_ERROR is counted apart
  std::size_t infra = 0;      ///< INFRA_ERROR; in none of the numbers below
  std::size_t plausible = 0;  ///< bugs with a candidate that passed the check, shown or withheld
  std::map<std::string, std::size_t> outcomes;  ///< without INFRA_ERROR
  std::map<std::string, std::size_t> lacking;   ///< "place", "ingredient", "budget": why no patch
  std::int64_t check_runs = 0;
  double seconds = 0;          ///< wall, summed over bugs
  double own_cpu_seconds = 0;  ///< summed
  double median_seconds = 0;
  double median_check_runs = 0;
  double median_own_cpu_seconds = 0;
  /// Median over bugs of own CPU divided by the mean time of a check run of the same bug.
  double median_cpu_per_check = 0;

  std::size_t outcome(const std::string& word) const;
};

struct Tables {
  TableRow all;
  std::vector<TableRow> by_project, by_family, by_language;  ///< sorted by name
};

/// Groups result lines by the labels of their instances; a line without labels counts in `all`
/// only.
Tables make_tables(const std::vector<ResultLine>& lines,
                   const std::map<std::string, InstanceLabels>& labels);

/// For people: one block of aligned columns a table, ending with a newline.
std::string to_text(const Tables& tables);
nlohmann::ordered_json to_json(const Tables& tables);

}  // namespace suture
