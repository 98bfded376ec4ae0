#include "repair/syntax/node.h"

#include <algorithm>

#include "repair/syntax/source_file.h"

namespace suture {

std::string_view Node::kind() const { return *this ? ts_node_type(node_) : ""; }

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

Node Node::parent() const { return *this ? Node(file_->parent_of(node_), file_) : Node(); }

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

namespace {

/// With a cursor: asking for the n-th child costs n steps each time.
template <class Keep>
std::vector<Node> children_where(Node node, Keep keep) {
  std::vector<Node> found;
  if (!node) return found;
  TSTreeCursor cursor = ts_tree_cursor_new(node.raw());
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    Node child(ts_tree_cursor_current_node(&cursor), node.file());
    if (keep(child)) found.push_back(child);
  }
  ts_tree_cursor_delete(&cursor);
  return found;
}

}  // namespace

std::vector<Node> Node::children() const {
  return children_where(*this, [](Node) { return true; });
}

std::vector<Node> Node::named_children() const {
  return children_where(*this, [](Node child) { return child.named() && !child.is_trivia(); });
}

Node Node::field(std::string_view name) const {
  if (!*this) return {};
  auto length = static_cast<std::uint32_t>(name.size());
  return Node(ts_node_child_by_field_name(node_, name.data(), length), file_);
}

std::vector<Node> Node::fields(std::string_view name) const {
  std::vector<Node> found;
  if (!*this) return found;
  TSTreeCursor cursor = ts_tree_cursor_new(node_);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const char* field = ts_tree_cursor_current_field_name(&cursor);
    Node child(ts_tree_cursor_current_node(&cursor), file_);
    // The grammar gives the commas and comments between the names of a field its name, too.
    if (field != nullptr && name == field && child.named() && !child.is_trivia()) {
      found.push_back(child);
    }
  }
  ts_tree_cursor_delete(&cursor);
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

}  // namespace suture
