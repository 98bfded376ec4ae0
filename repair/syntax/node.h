#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "repair/syntax/node_table.h"

namespace suture {

class SourceFile;

/// A byte range [start, end) of a file.
struct Range {
  std::uint32_t start = 0, end = 0;
  std::uint32_t size() const { return end - start; }
  bool contains(const Range& other) const { return start <= other.start && other.end <= end; }
  bool overlaps(const Range& other) const { return start < other.end && other.start < end; }
  auto operator<=>(const Range&) const = default;
};

/// A node of a file's syntax tree: a cheap value, valid as long as its SourceFile. A null node is
/// false and answers every question with nothing. Where the file has its NodeTable, ways down and
/// up are taken from there.
class Node {
 public:
  Node() : node_{} {}
  Node(TSNode node, const SourceFile* file) : node_(node), file_(file) {}
  /// The node that stands there in the file's table.
  Node(const NodeTable& table, NodeTable::Index index, const SourceFile* file)
      : node_(table[index].node), file_(file), index_(index) {}

  explicit operator bool() const { return file_ != nullptr && !ts_node_is_null(node_); }
  bool operator==(const Node& other) const { return ts_node_eq(node_, other.node_); }

  std::string_view kind() const;  ///< grammar's name, "" for a null node
  TSSymbol symbol() const;        ///< grammar symbol, for bit sets of kinds
  std::string_view text() const;
  Range range() const;   ///< never with half of a CRLF at its end
  int line() const;      ///< 1-based
  int end_line() const;  ///< 1-based line of the last byte
  int column() const;    ///< 0-based, bytes
  bool named() const;
  bool has_error() const;
  bool is_error_or_missing() const;
  bool is_trivia() const;  ///< a comment, or the backslash that joins two lines

  Node parent() const;
  Node child(std::uint32_t index) const;
  std::uint32_t child_count() const;
  Node named_child(std::uint32_t index) const;
  std::uint32_t named_child_count() const;
  std::vector<Node> children() const;
  std::vector<Node> named_children() const;  ///< comments left out
  Node field(std::string_view name) const;
  std::vector<Node> fields(std::string_view name) const;  ///< all children with the field's name
  Node next_named_sibling() const;                        ///< comments skipped
  Node previous_named_sibling() const;                    ///< comments skipped

  /// The nearest ancestor (not the node itself) with one of the kinds; null when there is none.
  Node ancestor(std::initializer_list<std::string_view> kinds) const;
  /// Whether the kind is one of these.
  bool is(std::initializer_list<std::string_view> kinds) const;

  const SourceFile* file() const { return file_; }
  TSNode raw() const { return node_; }

 private:
  friend void walk(Node node, const std::function<bool(Node)>& visit);
  friend void for_each_of(Node node, std::initializer_list<std::string_view> kinds,
                          const std::function<void(Node)>& visit);

  /// The file's table when it has one that knows the node; null otherwise. Notes the index.
  const NodeTable* table() const;
  /// Calls `visit` for the children in order, with the id of the field that they are, until it
  /// returns false.
  template <class Visit>
  void each_child(Visit visit) const;
  TSFieldId field_id(std::string_view name) const;  ///< 0 when the grammar has no such field

  TSNode node_;
  const SourceFile* file_ = nullptr;
  mutable NodeTable::Index index_ = NodeTable::kNone;  ///< in the table, once asked for
};

/// Calls `visit` for the node and all below it in document order; `visit` returns whether to go
/// down.
void walk(Node node, const std::function<bool(Node)>& visit);
/// Calls `visit` for those of the node and all below it that are named and of one of the kinds, in
/// document order. Where the file has its table, others cost nothing.
void for_each_of(Node node, std::initializer_list<std::string_view> kinds,
                 const std::function<void(Node)>& visit);

}  // namespace suture
