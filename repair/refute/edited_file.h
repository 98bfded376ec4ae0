#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/syntax/edit.h"
#include "repair/syntax/source_file.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// A Python file before and after a change.
struct EditedFile {
  const SourceFile* before = nullptr;  ///< the tree's
  std::unique_ptr<SourceFile> after;
  std::vector<Edit> edits;     ///< in order
  std::vector<Range> written;  ///< of `after`, one an edit; empty ranges where text was removed

  /// Whether a node of `after` holds or touches something that was written.
  bool touches(Node node) const;
};

/// A change of a tree: what is looked at is the tree with the change made.
class EditedTree {
 public:
  /// `after`: the edited files. Those that are no Python are left out. `tree` must outlive the
  /// object.
  EditedTree(SourceTree& tree, const std::map<std::string, std::vector<Edit>>& edits,
             std::map<std::string, std::unique_ptr<SourceFile>> after);

  SourceTree& tree() const { return tree_; }
  const std::map<std::string, EditedFile>& edited() const { return edited_; }
  /// The file as it is after the change; null as with SourceTree::source().
  const SourceFile* source(std::string_view path) const;

 private:
  SourceTree& tree_;
  std::map<std::string, EditedFile> edited_;
};

}  // namespace suture
