#pragma once

#include <map>
#include <string>
#include <vector>

namespace suture {

/// What renderers say about a job besides its RepairResult.
struct JobContext {
  /// What a pattern's own file says about it, for formats that list rules.
  struct Rule {
    std::string summary, rationale;
  };

  std::string version;    ///< of suture
  std::string revision;   ///< commit that was repaired; empty when the tree is no git checkout
  std::string work_tree;  ///< "clean", "dirty", or empty when not known
  std::string origin;     ///< URL of the repository; may be empty
  std::string
      apply_command;  ///< what to type to write the patch; empty when it was written already
  std::vector<std::string> applied;   ///< files that --apply wrote
  std::map<std::string, Rule> rules;  ///< by pattern id
};

}  // namespace suture
