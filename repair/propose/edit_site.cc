#include "repair/propose/edit_site.h"

#include <algorithm>

#include "repair/base/text.h"
#include "repair/syntax/imports.h"
#include "repair/syntax/layout.h"

namespace suture {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The byte of code that an edit is about: what it replaces, else what it stands in front of on its
/// line, else what it stands behind.
std::uint32_t anchor_byte(const SourceFile& file, const Edit& edit) {
  std::string_view text = file.text();
  std::uint32_t at = edit.range.start;
  bool behind = edit.range.size() == 0 && at > 0 &&
                !trim(file.text().substr(file.line_start(file.line_of(at)),
                                         at - file.line_start(file.line_of(at))))
                     .empty();
  if (behind) {
    for (--at; at > 0 && is_blank(text[at]);) --at;
  } else {
    while (at + 1 < text.size() && is_blank(text[at])) ++at;
  }
  return at;
}

bool is_clause(Node node) { return node.is({"elif_clause", "except_clause", "case_clause"}); }

Node body_of(Node node) {
  for (Node child : node.children()) {
    if (child.kind() == "block") return child;
  }
  return {};
}

/// The statement or clause whose own code holds a node.
Node unit_node(Node node) {
  while (node && !is_clause(node) && !node.parent().is({"module", "block"})) node = node.parent();
  return node;
}

bool is_of_imports(const SourceFile& file, const Edit& edit) {
  Node unit = unit_node(file.node_at({anchor_byte(file, edit), anchor_byte(file, edit) + 1}));
  std::string_view text = trim(edit.text);
  return is_import(unit) || (edit.range.size() == 0 && unit.parent().kind() == "module" &&
                             (text.starts_with("import ") || text.starts_with("from ")));
}

/// The smallest expression that holds the edits, more than its arguments alone.
Node expression_at(const Unit& unit, Range range, const std::vector<Edit>& edits) {
  const SourceFile& file = *unit.node.file();
  std::string_view text = trim(edits.front().text);
  bool item = text.starts_with(',') || text.ends_with(',');
  if (range.size() == 0) {
    bool behind = range.start > unit.range.start && !is_blank(file.text()[range.start - 1]);
    behind ? --range.start : ++range.end;
  }
  Node node = file.node_at(range);
  while (item && node && !node.is({"argument_list", "list", "tuple", "set", "dictionary"}))
    node = node.parent();
  while (node.is({"argument_list", "keyword_argument", "string_content", "string_start",
                  "string_end", "escape_sequence", "interpolation", "expression_list"}))
    node = node.parent();
  bool inside = node && unit.range.contains(node.range()) && !(node == unit.node);
  return inside ? node : Node();
}

/// Which of two tokens that touch a byte belongs to.
enum class Side { kBefore, kBehind };

/// Where a byte of one place is in another.
std::optional<std::uint32_t> mapped(std::uint32_t byte, Side side, const std::vector<Node>& from,
                                    const std::vector<Node>& to) {
  const SourceFile& here = *from.front().file();
  const SourceFile& there = *to.front().file();
  std::optional<std::uint32_t> start, end;
  for (std::size_t i = 0; i < from.size(); ++i) {
    Range token = from[i].range();
    if (token.start == byte) start = to[i].range().start;
    if (token.end == byte) end = to[i].range().end;
    if (token.start < byte && byte < token.end) {
      if (from[i].text() != to[i].text()) return std::nullopt;
      return to[i].range().start + (byte - token.start);
    }
    bool line_start = byte < token.start && here.line_start(from[i].line()) == byte &&
                      first_on_line(here, token.start);
    if (!start && !end && line_start) {
      if (!first_on_line(there, to[i].range().start)) return std::nullopt;
      return there.line_start(to[i].line());
    }
  }
  if (start || end) return side == Side::kBefore ? (end ? end : start) : (start ? start : end);
  int last_here = from.back().end_line(), last_there = to.back().end_line();
  if (byte == here.line_content_end(last_here)) return there.line_content_end(last_there);
  if (byte == here.line_start(last_here + 1)) return there.line_start(last_there + 1);
  return std::nullopt;
}

std::string renamed(std::string_view text, const Renaming& renaming) {
  if (renaming.empty()) return std::string(text);
  std::string result;
  const char* done = text.data();
  for (std::string_view word : identifiers(text)) {
    auto name = renaming.find(word);
    if (name == renaming.end()) continue;
    result.append(done, word.data());
    result += name->second;
    done = word.data() + word.size();
  }
  return result.append(done, text.data() + text.size());
}

/// Lines that begin with one indentation begin with the other.
std::string indented(std::string text, std::string_view from, std::string_view to,
                     bool from_start) {
  if (from == to) return text;
  if (from_start && text.starts_with(from)) text = std::string(to) + text.substr(from.size());
  return replace_all(std::move(text), "\n" + std::string(from), "\n" + std::string(to));
}

}  // namespace

Unit unit_like(const Unit& like, Node node) {
  Unit unit{node, node.range(), false};
  Node body = body_of(node);
  if (like.header && body) {
    unit.header = true;
    unit.range.end = body.range().start;
  }
  return unit;
}

std::optional<EditSite> site_of(const Candidate& candidate, SourceTree& tree) {
  if (candidate.edits.size() != 1) return std::nullopt;
  EditSite site;
  site.file = tree.source(candidate.edits.begin()->first);
  if (site.file == nullptr || site.file->language() != Language::kPython) return std::nullopt;
  for (const Edit& edit : candidate.edits.begin()->second)
    (is_of_imports(*site.file, edit) ? site.carried : site.edits).push_back(edit);
  if (site.edits.empty()) std::swap(site.edits, site.carried);
  std::ranges::sort(site.edits);
  std::uint32_t anchor = anchor_byte(*site.file, site.edits.front());
  Unit all{unit_node(site.file->node_at({anchor, anchor + 1})), {}, false};
  if (!all.node || all.node.kind() == "module") return std::nullopt;
  Range edited{site.edits.front().range.start, 0};
  for (const Edit& edit : site.edits) edited.end = std::max(edited.end, edit.range.end);
  Unit header = unit_like({{}, {}, true}, all.node);
  site.unit = edited.end <= header.range.end ? header : unit_like(all, all.node);
  const Range& unit = site.unit.range;
  std::uint32_t after = site.file->line_start(site.unit.node.end_line() + 1);
  bool within = site.file->line_start(site.unit.node.line()) <= edited.start &&
                edited.end <= std::max(after, unit.end);
  if (!within) return std::nullopt;
  bool whole_lines = edited.start < unit.start || edited.end > unit.end;
  if (!whole_lines) site.narrow = expression_at(site.unit, edited, site.edits);
  return site;
}

std::vector<Node> tokens_in(Node node, Range range) {
  std::vector<Node> tokens;
  walk(node, [&](Node at) {
    if (at.range().start >= range.end || at.range().end <= range.start || at.is_trivia())
      return false;
    bool plain_string =
        at.kind() == "string" && std::ranges::none_of(at.named_children(), [](const Node& part) {
          return part.kind() == "interpolation";
        });
    if (at.child_count() > 0 && !plain_string) return true;
    if (range.contains(at.range()) && at.range().size() > 0) tokens.push_back(at);
    return false;
  });
  return tokens;
}

std::optional<std::vector<Edit>> carried_over(const EditSite& site, const std::vector<Node>& from,
                                              const std::vector<Node>& to,
                                              const Renaming& renaming) {
  if (from.empty() || from.size() != to.size()) return std::nullopt;
  const SourceFile& there = *to.front().file();
  std::string_view indent = site.file->indentation_at(from.front().range().start);
  std::string_view other = there.indentation_at(to.front().range().start);
  std::vector<Edit> edits;
  for (const Edit& edit : site.edits) {
    bool insertion = edit.range.size() == 0;
    auto start = mapped(edit.range.start, insertion ? Side::kBefore : Side::kBehind, from, to);
    auto end = insertion ? start : mapped(edit.range.end, Side::kBefore, from, to);
    if (!start || !end || *end < *start) return std::nullopt;
    bool at_line = site.file->line_start(site.file->line_of(edit.range.start)) == edit.range.start;
    edits.push_back(
        {{*start, *end}, indented(renamed(edit.text, renaming), indent, other, at_line)});
  }
  return edits;
}

}  // namespace suture
