#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace suture {

/// All nodes of a syntax tree in document order, noted in one walk. tree-sitter finds the parent of
/// a node by going down from the root, and steps to a sibling by the sizes of what lies between;
/// from a table both are one look. A search asks both so often that it costs less to note all.
/// Immutable, so that threads may share it.
class NodeTable {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;

  struct Row {
    TSNode node;
    std::string_view kind;  ///< as ts_node_type says, lives as long as the grammar
    Index parent = kNone;   ///< kNone for the root
    Index end = 0;          ///< one past the last node below; the next sibling when there is one
    TSFieldId field = 0;    ///< of the parent; 0 when it has none
  };

  explicit NodeTable(const TSTree* tree);

  const Row& operator[](Index index) const { return rows_[index]; }
  /// Where the node stands; kNone for nodes of other trees.
  Index find(TSNode node) const;
  /// The named nodes of a kind, in document order.
  std::span<const Index> of_kind(std::string_view kind) const;

 private:
  std::vector<Row> rows_;
  std::unordered_map<std::string_view, std::vector<Index>> by_kind_;
  std::unordered_map<const void*, Index> index_;
};

}  // namespace suture
