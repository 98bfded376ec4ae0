#include "repair/syntax/walk_path.h"

#include "repair/syntax/source_file.h"

namespace suture {
namespace {

thread_local const WalkPath* current = nullptr;

}  // namespace

WalkPath::WalkPath(const SourceFile& file) : file_(&file) {
  nodes_.push_back(file.root().raw());
  current = this;
}

WalkPath::~WalkPath() { current = nullptr; }

bool WalkPath::knows(const SourceFile& file, TSNode node, TSNode& parent) {
  if (current == nullptr || current->file_ != &file) return false;
  // Most questions are about the lower end.
  for (std::size_t i = current->nodes_.size(); i-- > 0;) {
    if (current->nodes_[i].id != node.id) continue;
    parent = i == 0 ? TSNode{} : current->nodes_[i - 1];
    return true;
  }
  return false;
}

}  // namespace suture
