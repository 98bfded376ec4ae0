#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "repair/locate/location.h"
#include "repair/report/report.h"
#include "repair/reproduce/evidence.h"
#include "repair/syntax/source_tree.h"

namespace suture {

struct LocateInput {
  const Failure& failure;
  const Evidence& evidence;  ///< may be empty
  const Report* report;      ///< null when the user gave none
  SourceTree& tree;
};

/// Ranked suspicious statements, best first, at most `limit`. Ties are broken by file and line, so
/// the order is a function of the input. Sources: frames of the failure; both ends of a failing
/// call; where the offending value was made (last assignments of the names on the failing line, in
/// the frame and in callers); definitions of the names on the failing line; functions called by the
/// check after import and their executed lines weighted by distance to the compared value;
/// exceptions swallowed; files and names mentioned in the report when there is no evidence.
std::vector<Location> locate(const LocateInput& input, std::size_t limit = 400);

struct Weights;
/// The same with other weights (repair/locate/weights.h), to fit them.
std::vector<Location> locate(const LocateInput& input, std::size_t limit, const Weights& weights);

/// How suspicious a line is. Built once, asked for every node.
class SuspicionMap {
 public:
  SuspicionMap() = default;
  explicit SuspicionMap(std::vector<Location> locations);
  /// The best location that covers the line; null when there is none.
  const Location* at(const std::string& file, int line) const;
  const std::vector<Location>& locations() const { return locations_; }
  /// Whether some location covers a line from `first` to `last`.
  bool touches(const std::string& file, int first, int last) const;
  /// Files with a location, most suspicious first.
  std::vector<std::string> files() const;

 private:
  std::vector<Location> locations_;
  /// File -> for each line (index 0 unused) the place of its best location in locations_, or kNone.
  std::map<std::string, std::vector<std::size_t>> best_;
};

}  // namespace suture
