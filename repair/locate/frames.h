#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/report/failure.h"
#include "repair/reproduce/evidence.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// A frame of the failure that lies in a source of the tree under repair.
struct TreeFrame {
  std::string file;  ///< relative to the tree
  int line = 0;
  std::string function;
  const LiveFrame* live = nullptr;  ///< null when only the printed text is known
  int distance = 0;                 ///< 0: innermost tree frame
};

/// Whether a path of the tree holds tests: below tests/ or test/, test_*.py, *_test.py,
/// conftest.py.
bool is_test_path(std::string_view path);

/// The file of the tree that a printed path means: relative, absolute below the root, or of an
/// installed or remote copy whose last parts (two or more) exist in the tree. Nothing for other
/// files.
std::optional<std::string> tree_path(const SourceTree& tree, std::string_view printed);

/// Tree frames, innermost first.
std::vector<TreeFrame> tree_frames(const SourceTree& tree, const std::vector<LiveFrame>& frames);
std::vector<TreeFrame> tree_frames(const SourceTree& tree, const std::vector<Frame>& frames);

/// Tree frames of the failure: live ones when the traced run has any, else the printed ones.
std::vector<TreeFrame> failure_frames(const SourceTree& tree, const Failure& failure,
                                      const Evidence& evidence);

}  // namespace suture
