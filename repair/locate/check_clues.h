#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "repair/locate/weights.h"
#include "repair/report/failure.h"
#include "repair/reproduce/evidence.h"

namespace suture {

/// Weighted words (identifiers, also those inside strings).
using Words = std::map<std::string, double, std::less<>>;

/// A module or a name of a module that the check imports.
struct CheckImport {
  std::string module;  ///< as written: "a.b"
  std::string name;    ///< "" for `import a.b`
};

/// What the check's own text tells: its failing statement, the statements that make the values used
/// there (a backward slice), what it imports, which files it names.
struct CheckClues {
  Words words;     ///< 1 for words of the failing statement, less for those further away
  Words compared;  ///< words of the failing statement and of the operands alone
  std::set<std::string, std::less<>> attributes;  ///< `b` of every `a.b` in the failing statement
  std::map<std::string, std::set<int>, std::less<>> slice;  ///< check file -> lines of the slice
  std::vector<CheckImport> imports;
  std::set<std::string> strings;  ///< short string literals of the whole text (they may name files)
};

/// Reads the check's files as named by the evidence; without any, the printed source lines of the
/// failure's frames are all there is.
CheckClues read_check(const Failure& failure, const Evidence& evidence);

}  // namespace suture
