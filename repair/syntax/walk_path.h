#pragma once

#include <vector>

#include "repair/syntax/node.h"

namespace suture {

/// The way from the root of a file to where a walk has got. While it lives, this thread's questions
/// for the parents of nodes on it are answered from it; others make the file note all parents,
/// which costs as much as a walk. One at a time a thread; the file outlives it.
class WalkPath {
 public:
  explicit WalkPath(const SourceFile& file);
  ~WalkPath();
  WalkPath(const WalkPath&) = delete;
  WalkPath& operator=(const WalkPath&) = delete;

  void down(TSNode child) { nodes_.push_back(child); }
  void next(TSNode sibling) { nodes_.back() = sibling; }
  void up() { nodes_.pop_back(); }

  /// The path of this thread when it is in that file and the node is on it; then `parent` is set
  /// (null for the root).
  static bool knows(const SourceFile& file, TSNode node, TSNode& parent);

 private:
  const SourceFile* file_;
  std::vector<TSNode> nodes_;
};

}  // namespace suture
