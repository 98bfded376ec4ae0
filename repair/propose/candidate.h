#pragma once

#include <map>
#include <string>
#include <vector>

#include "repair/locate/location.h"
#include "repair/syntax/edit.h"
#include "repair/validate/executor.h"

namespace suture {

/// Whether a change only makes the check pass (see architecture.md, "silencing").
enum class Silencing {
  kNo,
  kDeletes,      ///< removes a statement or an operand and adds nothing
  kSkips,        ///< returns, continues or breaks early, or guards with a constant
  kSwallows,     ///< catches an exception and does nothing about it
  kEchoesCheck,  ///< repeats a literal of the check
};
std::string_view to_string(Silencing silencing);

/// A named number about a candidate that ranking weighs. All are in [0, 1] or logs thereof.
using Features = std::map<std::string, double>;

/// A set of byte-exact edits from one pattern at one location.
struct Candidate {
  std::string id;       ///< SHA-256 of the normalised diff
  std::string pattern;  ///< id of the pattern
  std::string rewrite;  ///< name of the rewrite in it
  std::string family;
  Location location;
  std::map<std::string, std::vector<Edit>> edits;  ///< file -> edits
  FileContents files;                              ///< the edited files, whole
  std::string summary;                             ///< "pass `timeout` on to `connect`"
  std::string cause;  ///< one or two sentences, from the pattern's text with its holes filled
  Silencing silencing = Silencing::kNo;
  Features features;
  double score = 0;  ///< set by rank; higher is better
};

}  // namespace suture
