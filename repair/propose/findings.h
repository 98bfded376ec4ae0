#pragma once

#include <map>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/catalogue.h"
#include "repair/syntax/edit.h"
#include "repair/syntax/source_file.h"

namespace suture {

/// A place in a text as people and editors count: 1-based, columns in characters (code points).
struct TextPlace {
  int line = 1, column = 1;
};

/// One change of a fix.
struct FixStep {
  Edit edit;
  TextPlace start, end;  ///< of the range that it replaces
};

/// Something that is wrong by the code alone.
struct Finding {
  std::string pattern;  ///< its id
  std::string file;
  Range range;
  TextPlace start, end;      ///< of the range
  std::string line_text;     ///< the first line of the place
  std::string message;       ///< one sentence
  std::string summary;       ///< what the fix does
  std::vector<FixStep> fix;  ///< of the same file; empty: a person has to see to it
  Pattern::Safety safety = Pattern::Safety::kSuggest;  ///< of the fix
};

/// What a scan of one file showed.
struct FileFindings {
  std::vector<Finding> findings;  ///< in the order of places
  int unparsed_line = 0;          ///< first line that does not parse; 0: all of it does
};

/// The static suspects of a catalogue, made ready for many files. Thread-safe once made. The
/// catalogue outlives it.
class StaticPatterns {
 public:
  explicit StaticPatterns(const Catalogue& catalogue);

  /// Whether some pattern is about files of the language.
  bool cover(Language language) const { return by_symbol_.contains(language); }

  /// What is wrong in one file: one walk of its tree serves all patterns. Code that does not parse
  /// is left out; so is what a comment `# suture: ignore[ID, ...]` (without the brackets: all
  /// patterns) on the first or last line of the place excuses. Errors: kBadInput for what is no
  /// text, kUnsupported for files over 4 MB.
  Result<FileFindings> in(std::string path, std::string text) const;

 private:
  /// The patterns that are tried at nodes of one kind.
  struct Tried {
    std::vector<const Pattern*> always;
    /// Those that are about calls of fixed names; most calls need none of them.
    std::map<std::string, std::vector<const Pattern*>, std::less<>> by_called;
    bool empty() const { return always.empty() && by_called.empty(); }
  };
  /// By the grammar's symbol of the kind.
  using BySymbol = std::vector<Tried>;
  std::map<Language, BySymbol> by_symbol_;
};

}  // namespace suture
