#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "repair/report/scanner.h"

namespace suture::report {

/// Ties failures to the tests that lines such as "FAILED x.py::test_y - TypeError: ..." name, and
/// makes failures of tests that are only named.
class VerdictJoiner {
 public:
  explicit VerdictJoiner(Findings& findings);
  void run();

 private:
  void match_by_section();
  std::optional<std::string> node_id_of(const Finding& finding) const;
  void match_by_message();
  void add_unexplained();
  void tie(Finding& finding, const std::string& node_id);

  Findings& findings_;
  std::unordered_map<std::string, std::string> id_of_section_;
  std::unordered_set<std::string> explained_;  ///< node ids that have a failure
};

}  // namespace suture::report
