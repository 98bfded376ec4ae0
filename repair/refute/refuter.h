#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "repair/refute/callee.h"
#include "repair/refute/name_rule.h"
#include "repair/refute/refutation.h"
#include "repair/syntax/edit.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// Rejects changes that Python itself would reject, before anything is run: what does not compile,
/// names that nothing binds, calls that cannot be bound to the function that they call. Only what
/// the change writes is looked at, and whatever cannot be told for sure is let through: names where
/// something else may bind them, callees that are defined twice, decorated, replaced somewhere, or
/// come from outside the tree (to ask an installed package costs more than to run a candidate in a
/// warm process). Costs a fraction of a millisecond; what is found out about files of the tree is
/// kept. Thread-safe.
class Refuter {
 public:
  /// `check_text`: the check's own files, which may define or replace things. `tree` must outlive
  /// the object.
  Refuter(SourceTree& tree, std::string check_text);

  /// `after`: the edited files, parsed.
  std::optional<Refutation> refute(const std::map<std::string, std::vector<Edit>>& edits,
                                   std::map<std::string, std::unique_ptr<SourceFile>> after);

 private:
  SourceTree& tree_;
  std::mutex mutex_;
  NameRule names_;
  CalleeFinder callees_;
};

}  // namespace suture
