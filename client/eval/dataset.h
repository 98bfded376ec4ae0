#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/report/check.h"

namespace suture {

/// A historical bug as the tool may see it: what a user would have who meets the bug, and no more.
struct Instance {
  std::string id;
  std::string report;  ///< `problem_statement`
  Check check;         ///< as written: {checks} and {env} are not filled in yet
};

/// What a data set tells about a bug and its fix beyond that, as far as the tables at the end group
/// by it. Made at load and handed to tables only: nothing that leads to a RepairRequest takes this
/// type. Everything else about the fix (files, reference, strategy, fix_commit, SWE-bench's patch
/// ...) is not even read.
struct InstanceLabels {
  std::string project;  ///< `repo`
  std::string family;
  std::string language;
};

struct DataSet {
  std::vector<Instance> instances;               ///< in the order of the file
  std::map<std::string, InstanceLabels> labels;  ///< by instance id
};

/// Reads a data set: one JSON object a line with SWE-bench's names (see shared/bugs/README.md).
/// Needed are `instance_id`, `repo`, `problem_statement` and `check`; where there is no `check`,
/// SWE-bench's `FAIL_TO_PASS` (a list, or its JSON text) makes one that runs these ids with pytest.
/// Other fields may be there. Errors: kBadInput with file:line and what is missing.
Result<DataSet> load_dataset(const std::filesystem::path& path);

/// The same from a text; `file` is for messages.
Result<DataSet> parse_dataset(std::string_view text, const std::string& file);

}  // namespace suture
