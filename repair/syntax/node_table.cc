#include "repair/syntax/node_table.h"

namespace suture {

NodeTable::NodeTable(const TSTree* tree) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  rows_.reserve(ts_node_descendant_count(ts_tree_root_node(tree)));
  std::vector<Index> above;
  bool more = true;
  while (more) {
    auto here = static_cast<Index>(rows_.size());
    TSNode node = ts_tree_cursor_current_node(&cursor);
    rows_.push_back({node, ts_node_type(node), above.empty() ? kNone : above.back(), here + 1,
                     ts_tree_cursor_current_field_id(&cursor)});
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      above.push_back(here);
      continue;
    }
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor))) {
      if (above.empty()) break;
      ts_tree_cursor_goto_parent(&cursor);
      rows_[above.back()].end = static_cast<Index>(rows_.size());
      above.pop_back();
    }
  }
  ts_tree_cursor_delete(&cursor);
  index_.reserve(rows_.size());
  for (Index i = 0; i < rows_.size(); ++i) {
    index_.emplace(rows_[i].node.id, i);
    if (ts_node_is_named(rows_[i].node)) by_kind_[rows_[i].kind].push_back(i);
  }
}

NodeTable::Index NodeTable::find(TSNode node) const {
  auto at = index_.find(node.id);
  return at == index_.end() ? kNone : at->second;
}

std::span<const NodeTable::Index> NodeTable::of_kind(std::string_view kind) const {
  auto at = by_kind_.find(kind);
  return at == by_kind_.end() ? std::span<const Index>() : at->second;
}

}  // namespace suture
