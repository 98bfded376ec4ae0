#include "repair/syntax/node.h"

#include <algorithm>

#include "repair/syntax/source_file.h"

namespace suture {

const NodeTable* Node::table() const {
  const NodeTable* table = *this ? file_->table() : nullptr;
  if (table == nullptr) return nullptr;
  if (index_ == NodeTable::kNone) index_ = table->find(node_);
  return index_ == NodeTable::kNone ? nullptr : table;
}

template <class Visit>
void Node::each_child(Visit visit) const {
  if (!*this) return;
  if (const NodeTable* all = table()) {
    for (NodeTable::Index i = index_ + 1; i < (*all)[index_].end; i = (*all)[i].end) {
      if (!visit(Node(*all, i, file_), (*all)[i].field)) return;
    }
    return;
  }
  // With a cursor: asking for the n-th child costs n steps each time.
  TSTreeCursor cursor = ts_tree_cursor_new(node_);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    if (!visit(Node(ts_tree_cursor_current_node(&cursor), file_),
               ts_tree_cursor_current_field_id(&cursor)))
      break;
  }
  ts_tree_cursor_delete(&cursor);
}

std::string_view Node::kind() const {
  if (!*this) return "";
  // Most nodes come from the table; looking others up costs more than asking the grammar.
  return index_ != NodeTable::kNone ? (*file_->table())[index_].kind : ts_node_type(node_);
}

TSSymbol Node::symbol() const { return *this ? ts_node_symbol(node_) : 0; }

std::string_view Node::text() const {
  if (!*this) return {};
  return file_->text().substr(range().start, range().size());
}

Range Node::range() const {
  if (!*this) return {};
  Range range{ts_node_start_byte(node_), ts_node_end_byte(node_)};
  // The grammars count the carriage return of a CRLF to the comment before it.
  std::string_view text = file_->text();
  bool splits_line_end = range.size() > 0 && range.end < text.size() && text[range.end] == '\n' &&
                         text[range.end - 1] == '\r';
  if (splits_line_end) --range.end;
  return range;
}

int Node::line() const { return *this ? static_cast<int>(ts_node_start_point(node_).row) + 1 : 0; }

int Node::end_line() const {
  if (!*this) return 0;
  Range bytes = range();
  return file_->line_of(bytes.size() == 0 ? bytes.end : bytes.end - 1);
}

int Node::column() const { return *this ? static_cast<int>(ts_node_start_point(node_).column) : 0; }

bool Node::named() const { return *this && ts_node_is_named(node_); }

bool Node::has_error() const { return *this && ts_node_has_error(node_); }

bool Node::is_error_or_missing() const {
  return *this && (ts_node_is_error(node_) || ts_node_is_missing(node_));
}

bool Node::is_trivia() const { return is({"comment", "line_continuation"}); }

Node Node::parent() const {
  if (!*this) return {};
  if (index_ == NodeTable::kNone) return file_->parent_of(*this);
  const NodeTable& all = *file_->table();
  NodeTable::Index above = all[index_].parent;
  return above == NodeTable::kNone ? Node() : Node(all, above, file_);
}

Node Node::child(std::uint32_t index) const {
  return *this ? Node(ts_node_child(node_, index), file_) : Node();
}

std::uint32_t Node::child_count() const { return *this ? ts_node_child_count(node_) : 0; }

Node Node::named_child(std::uint32_t index) const {
  return *this ? Node(ts_node_named_child(node_, index), file_) : Node();
}

std::uint32_t Node::named_child_count() const {
  return *this ? ts_node_named_child_count(node_) : 0;
}

std::vector<Node> Node::children() const {
  std::vector<Node> found;
  each_child([&](Node child, TSFieldId) {
    found.push_back(child);
    return true;
  });
  return found;
}

std::vector<Node> Node::named_children() const {
  std::vector<Node> found;
  each_child([&](Node child, TSFieldId) {
    if (child.named() && !child.is_trivia()) found.push_back(child);
    return true;
  });
  return found;
}

TSFieldId Node::field_id(std::string_view name) const {
  return ts_language_field_id_for_name(ts_node_language(node_), name.data(),
                                       static_cast<std::uint32_t>(name.size()));
}

Node Node::field(std::string_view name) const {
  if (!*this) return {};
  TSFieldId wanted = field_id(name);
  if (wanted == 0) return {};
  Node found;
  each_child([&](Node child, TSFieldId field) {
    if (field == wanted) found = child;
    return field != wanted;
  });
  return found;
}

std::vector<Node> Node::fields(std::string_view name) const {
  std::vector<Node> found;
  if (!*this) return found;
  TSFieldId wanted = field_id(name);
  each_child([&](Node child, TSFieldId field) {
    // The grammar gives the commas and comments between the names of a field its name, too.
    if (field == wanted && wanted != 0 && child.named() && !child.is_trivia())
      found.push_back(child);
    return true;
  });
  return found;
}

Node Node::next_named_sibling() const {
  if (!*this) return {};
  Node sibling = *this;
  do sibling = Node(ts_node_next_named_sibling(sibling.node_), file_);
  while (sibling.is_trivia());
  return sibling;
}

Node Node::previous_named_sibling() const {
  if (!*this) return {};
  Node sibling = *this;
  do sibling = Node(ts_node_prev_named_sibling(sibling.node_), file_);
  while (sibling.is_trivia());
  return sibling;
}

Node Node::ancestor(std::initializer_list<std::string_view> kinds) const {
  Node node = parent();
  while (node && !node.is(kinds)) node = node.parent();
  return node;
}

bool Node::is(std::initializer_list<std::string_view> kinds) const {
  if (!*this) return false;
  return std::find(kinds.begin(), kinds.end(), kind()) != kinds.end();
}

void walk(Node node, const std::function<bool(Node)>& visit) {
  if (!node) return;
  if (const NodeTable* all = node.table()) {
    NodeTable::Index end = (*all)[node.index_].end;
    for (NodeTable::Index i = node.index_; i < end;) {
      i = visit(Node(*all, i, node.file())) ? i + 1 : (*all)[i].end;
    }
    return;
  }
  TSTreeCursor cursor = ts_tree_cursor_new(node.raw());
  int depth = 0;
  do {
    bool down = visit(Node(ts_tree_cursor_current_node(&cursor), node.file()));
    if (down && ts_tree_cursor_goto_first_child(&cursor)) {
      ++depth;
      continue;
    }
    while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      --depth;
    }
  } while (depth > 0);
  ts_tree_cursor_delete(&cursor);
}

void for_each_of(Node node, std::initializer_list<std::string_view> kinds,
                 const std::function<void(Node)>& visit) {
  if (!node) return;
  const NodeTable* all = node.table();
  if (all == nullptr) {
    walk(node, [&](Node inner) {
      if (inner.named() && inner.is(kinds)) visit(inner);
      return true;
    });
    return;
  }
  std::vector<NodeTable::Index> found;
  for (std::string_view kind : kinds) {
    std::span<const NodeTable::Index> rows = all->of_kind(kind);
    auto first = std::lower_bound(rows.begin(), rows.end(), node.index_);
    found.insert(found.end(), first, std::lower_bound(first, rows.end(), (*all)[node.index_].end));
  }
  std::sort(found.begin(), found.end());
  for (NodeTable::Index index : found) visit(Node(*all, index, node.file()));
}

}  // namespace suture
