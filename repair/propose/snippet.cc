#include "repair/propose/snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "repair/base/text.h"

namespace suture {
namespace {

/// U+00B5, a letter to both grammars and to no programmer.
constexpr std::string_view kMark = "\xC2\xB5";
constexpr std::string_view kSequence = "$$";

bool name_byte(char c) {
  return (std::isupper(static_cast<unsigned char>(c)) != 0) ||
         (std::isdigit(static_cast<unsigned char>(c)) != 0) || c == '_';
}

/// Calls `text` for plain stretches and `variable` for metavariables (dollars counted).
template <class OnText, class OnVariable>
void scan(std::string_view code, OnText text, OnVariable variable) {
  std::size_t plain = 0;
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] != '$') {
      ++at;
      continue;
    }
    std::size_t name = at;
    while (name < code.size() && code[name] == '$') ++name;
    std::size_t end = name;
    while (end < code.size() && name_byte(code[end])) ++end;
    if (end == name) {
      at = name;
      continue;
    }
    text(code.substr(plain, at - plain));
    variable(code.substr(name, end - name), name - at >= 3);
    plain = at = end;
  }
  text(code.substr(plain));
}

/// The children of a node that say something: comments do not, nor does a comma before a closing
/// bracket. Most nodes have few.
class Children {
 public:
  explicit Children(TSNode node, TSSymbol comment) {
    std::uint32_t count = ts_node_child_count(node);
    if (count > few_.size()) {
      TSTreeCursor cursor = ts_tree_cursor_new(node);
      for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
           more = ts_tree_cursor_goto_next_sibling(&cursor))
        many_.push_back(ts_tree_cursor_current_node(&cursor));
      ts_tree_cursor_delete(&cursor);
      std::erase_if(many_, [&](TSNode child) { return ts_node_symbol(child) == comment; });
      begin_ = many_.data();
      size_ = many_.size();
    } else {
      for (std::uint32_t i = 0; i < count; ++i) {
        TSNode child = ts_node_child(node, i);
        if (ts_node_symbol(child) != comment) few_[size_++] = child;
      }
      begin_ = few_.data();
    }
    if (size_ >= 2 && !ts_node_is_named(begin_[size_ - 1]) &&
        std::string_view(ts_node_type(begin_[size_ - 2])) == ",") {
      begin_[size_ - 2] = begin_[size_ - 1];
      --size_;
    }
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  std::size_t size() const { return size_; }
  TSNode operator[](std::size_t i) const { return begin_[i]; }

 private:
  std::array<TSNode, 8> few_;
  std::vector<TSNode> many_;
  TSNode* begin_ = nullptr;
  std::size_t size_ = 0;
};

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Equal but for white space.
bool same_code(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && blank(a[i])) ++i;
    while (j < b.size() && blank(b[j])) ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (a[i++] != b[j++]) return false;
  }
}

bool bind(const std::string& name, Node node, std::string_view text, Bindings& bindings) {
  if (name == "_") return true;
  auto at = bindings.find(name);
  if (at == bindings.end()) {
    bindings.emplace(name, Binding{std::string(text), node});
    return true;
  }
  if (!same_code(at->second.text, text)) return false;
  if (!at->second.node) at->second.node = node;  // a name from the message has found its place
  return true;
}

/// The node that the snippet means: an expression when it is one, else the statement.
Node meaning_of(Node root) {
  if (root.named_child_count() != 1) return {};
  Node node = root.named_child(0);
  if (node.kind() == "expression_statement" && node.named_child_count() == 1)
    node = node.named_child(0);
  return node;
}

}  // namespace

std::string encode_metavariables(std::string_view code) {
  std::string encoded;
  scan(
      code, [&](std::string_view text) { encoded += text; },
      [&](std::string_view name, bool sequence) {
        encoded += kMark;
        if (sequence) encoded += kMark;
        encoded += name;
      });
  return encoded;
}

std::string decode_metavariables(std::string_view encoded) {
  std::string two = std::string(kMark) + std::string(kMark);
  return replace_all(replace_all(std::string(encoded), two, "$$$"), kMark, "$");
}

std::string decode_metavariable(std::string_view identifier) {
  if (!identifier.starts_with(kMark)) return {};
  identifier.remove_prefix(kMark.size());
  if (!identifier.starts_with(kMark)) return std::string(identifier);
  identifier.remove_prefix(kMark.size());
  return std::string(kSequence) + std::string(identifier);
}

std::vector<std::string> metavariables_of(std::string_view text) {
  std::vector<std::string> names;
  scan(
      text, [](std::string_view) {},
      [&](std::string_view name, bool) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
      });
  return names;
}

/// A node of the snippet's tree.
struct Snippet::Shape {
  TSSymbol symbol = 0, comment = 0;
  std::string hole;       ///< the metavariable that it is; "" for code
  bool sequence = false;  ///< a hole for any number of nodes
  bool comma = false;
  bool flexible = false;  ///< has a sequence among its children
  bool whole = false;     ///< compared as text: leaves and strings
  std::string text;
  std::vector<Shape> children;

  static Shape of(Node node);
  bool match(Node node, Bindings& bindings) const;
  /// Whether the node certainly does not match, by its fixed parts: cheap, and most nodes differ
  /// there. Binds nothing.
  bool refutes(TSNode node, const SourceFile& file) const;

 private:
  /// Children `p` onwards against those of a node from `t`.
  bool match_from(std::size_t p, const Children& targets, std::size_t t, const SourceFile* file,
                  Bindings& bindings) const;
  bool match_sequence(std::size_t p, const Children& targets, std::size_t t, const SourceFile* file,
                      Bindings& bindings) const;
};

Snippet::Shape Snippet::Shape::of(Node node) {
  Shape shape;
  shape.symbol = node.symbol();
  shape.comment = ts_language_symbol_for_name(grammar(node.file()->language()), "comment", 7, true);
  shape.comma = node.kind() == ",";
  // A statement that is one metavariable stands for any one statement.
  Node inner = node;
  if (inner.kind() == "expression_statement" && inner.named_child_count() == 1)
    inner = inner.named_child(0);
  if (inner.kind() == "identifier") {
    shape.hole = decode_metavariable(inner.text());
    shape.sequence = shape.hole.starts_with(kSequence);
    if (shape.sequence) shape.hole = shape.hole.substr(kSequence.size());
    if (!shape.hole.empty()) return shape;
  }
  shape.whole = node.child_count() == 0 || node.kind() == "string";
  if (shape.whole) {
    shape.text = std::string(node.text());
    return shape;
  }
  Children children(node.raw(), shape.comment);
  for (std::size_t i = 0; i < children.size(); ++i) {
    shape.children.push_back(of(Node(children[i], node.file())));
    shape.flexible |= shape.children.back().sequence;
  }
  return shape;
}

bool Snippet::Shape::refutes(TSNode node, const SourceFile& file) const {
  if (!hole.empty()) return false;
  if (ts_node_symbol(node) != symbol) return true;
  if (whole) return !same_code(text, Node(node, &file).text());
  // Comments and commas shift children, and a sequence may be any number: nothing is certain then.
  if (flexible || ts_node_child_count(node) != children.size()) return false;
  for (std::uint32_t i = 0; i < children.size(); ++i) {
    if (!children[i].hole.empty()) continue;
    TSNode child = ts_node_child(node, i);
    if (ts_node_symbol(child) == comment) return false;
    if (children[i].refutes(child, file)) return true;
  }
  return false;
}

bool Snippet::Shape::match(Node node, Bindings& bindings) const {
  if (!hole.empty()) return node.named() && bind(hole, node, node.text(), bindings);
  if (symbol != node.symbol()) return false;
  if (whole) return same_code(text, node.text());
  Children targets(node.raw(), comment);
  if (flexible) return match_from(0, targets, 0, node.file(), bindings);
  if (targets.size() != children.size()) return false;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!children[i].match(Node(targets[i], node.file()), bindings)) return false;
  }
  return true;
}

bool Snippet::Shape::match_sequence(std::size_t p, const Children& targets, std::size_t t,
                                    const SourceFile* file, Bindings& bindings) const {
  // Shortest first; a separator that the pattern has beside an empty sequence is skipped with it.
  for (std::size_t end = t; end <= targets.size(); ++end) {
    Bindings trial = bindings;
    std::string_view text;
    if (end > t) {
      Range range{Node(targets[t], file).range().start, Node(targets[end - 1], file).range().end};
      text = file->text().substr(range.start, range.size());
      if (std::string_view(ts_node_type(targets[end - 1])) == ",") continue;
    }
    if (!bind(children[p].hole, {}, text, trial)) continue;
    std::size_t next = p + 1;
    bool matched = match_from(next, targets, end, file, trial);
    if (!matched && end == t && next < children.size() && children[next].comma)
      matched = match_from(next + 1, targets, end, file, trial);
    if (matched) {
      bindings = std::move(trial);
      return true;
    }
  }
  return false;
}

bool Snippet::Shape::match_from(std::size_t p, const Children& targets, std::size_t t,
                                const SourceFile* file, Bindings& bindings) const {
  if (p == children.size()) return t == targets.size();
  if (children[p].sequence) return match_sequence(p, targets, t, file, bindings);
  if (t < targets.size()) {
    Bindings trial = bindings;
    if (children[p].match(Node(targets[t], file), trial) &&
        match_from(p + 1, targets, t + 1, file, trial)) {
      bindings = std::move(trial);
      return true;
    }
  }
  // "f(x, $$$REST)" also matches "f(x)".
  if (!children[p].comma || p + 1 >= children.size() || !children[p + 1].sequence) return false;
  Bindings trial = bindings;
  if (!bind(children[p + 1].hole, {}, "", trial) || !match_from(p + 2, targets, t, file, trial))
    return false;
  bindings = std::move(trial);
  return true;
}

Result<Snippet> Snippet::compile(std::string_view code, Language language) {
  TRY(auto file, SourceFile::parse("snippet", encode_metavariables(trim(code)), language));
  if (file->error_count() > 0) {
    return fail(
        ErrorKind::kBadInput,
        fmt::format("the snippet `{}` is not valid {}", code, to_string(language)),
        "write one expression or one statement; $NAME stands for one node, $$$NAME for several");
  }
  Node root = meaning_of(file->root());
  if (!root) {
    return fail(ErrorKind::kBadInput,
                fmt::format("the snippet `{}` is not one expression or statement", code));
  }
  if (root.kind() == "identifier" && !decode_metavariable(root.text()).empty()) {
    return fail(ErrorKind::kBadInput, fmt::format("the snippet `{}` would match everything", code),
                "use match.kind with the node kinds that are meant");
  }
  Snippet snippet;
  snippet.shape_ = std::make_shared<const Shape>(Shape::of(root));
  snippet.root_kind_ = root.kind();
  if (root.kind() == "call") {
    Node name = root.field("function");
    if (name.kind() == "attribute") name = name.field("attribute");
    if (name.kind() == "identifier" && decode_metavariable(name.text()).empty())
      snippet.called_ = name.text();
  }
  snippet.variables_ = metavariables_of(code);
  return snippet;
}

bool Snippet::match(Node node, Bindings& bindings) const {
  if (shape_->refutes(node.raw(), *node.file())) return false;
  Bindings trial = bindings;
  if (!shape_->match(node, trial)) return false;
  bindings = std::move(trial);
  return true;
}

}  // namespace suture
