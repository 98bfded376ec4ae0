#include <algorithm>

#include "repair/base/text.h"
#include "repair/syntax/block.h"
#include "repair/syntax/edit.h"
#include "repair/syntax/layout.h"

// Edits of statements: see edit.h.

namespace suture {
namespace {

bool fits_on_a_line(std::string_view block) {
  static constexpr std::string_view kCompound[] = {"if",  "for",   "while", "try",  "with",
                                                   "def", "class", "async", "match"};
  if (block.find('\n') != std::string_view::npos || block.starts_with('@')) return false;
  std::string_view word = block.substr(0, block.find_first_of(" :("));
  return std::find(std::begin(kCompound), std::end(kCompound), word) == std::end(kCompound);
}

/// A statement's place among others. In Python simple statements can share a logical line, and the
/// line can begin with the header of their block.
struct Place {
  Node statement;
  std::vector<Node> row;      ///< the statements of the logical line, in order
  std::size_t index = 0;      ///< of the statement in it
  std::uint32_t row_end = 0;  ///< behind the last statement and its ";"
  Node header_colon;          ///< of `if a: b`; null when the line holds statements only
  std::string indent, unit;   ///< what the statement has, or would have on a line of its own
  std::string_view newline;

  const SourceFile& file() const { return *statement.file(); }
  bool first() const { return index == 0 && !header_colon; }
  bool last() const { return index + 1 == row.size() && !header_colon; }
  bool alone() const { return first() && last(); }
  std::string placed(std::string_view block) const {
    return reindent(in_style(block, newline, unit), indent);
  }
  std::string new_line() const { return std::string(newline) + indent; }
};

Node statement_of(Node node) {
  bool itself = node && node.file()->language() != Language::kPython &&
                node.kind().ends_with("_statement") && !node.is({"case_statement"});
  return itself ? node : enclosing_statement(node);
}

/// The ":" that ends the header of a block, when no line end stands between it and the block.
Node colon_on_line_of(Node block) {
  Node colon;
  for (Node child : block.parent().children()) {
    if (child.range().start >= block.range().start) break;
    if (child.kind() == ":") colon = child;
  }
  bool same_line = colon && !line_ends_between(*block.file(), colon.range().end,
                                               block.named_children().front().range().start);
  return same_line ? colon : Node();
}

/// Fills row, index and row_end.
void find_row(Place& place) {
  std::vector<Node> siblings = place.statement.parent().children();
  std::erase_if(siblings, [](Node node) { return node.is_trivia(); });
  auto self = std::find(siblings.begin(), siblings.end(), place.statement);
  auto joined = [&](auto it) {  // with the sibling before it
    return !line_ends_between(place.file(), std::prev(it)->range().end, it->range().start);
  };
  auto begin = self;
  while (begin != siblings.begin() && joined(begin)) --begin;
  auto end = std::next(self);
  while (end != siblings.end() && joined(end)) ++end;
  for (auto it = begin; it != end; ++it) {
    if (it == self) place.index = place.row.size();
    if (it->named()) place.row.push_back(*it);
  }
  place.row_end = std::prev(end)->range().end;
}

/// What one level of indentation is around here: the step into the statement's own block, else the
/// file's unit.
std::string unit_at(const SourceFile& file, Node statement, std::string_view indent) {
  Node block = statement.parent();
  if (block.is({"block"})) {
    std::string_view outer = file.indentation_at(block.parent().range().start);
    if (indent.size() > outer.size() && indent.starts_with(outer)) {
      return std::string(indent.substr(outer.size()));
    }
  }
  return std::string(file.indent_unit());
}

Place place_of(Node node) {
  Place place;
  place.statement = statement_of(node);
  if (!place.statement) return place;
  const SourceFile& file = place.file();
  place.newline = file.newline();
  if (file.language() != Language::kPython) {
    place.row = {place.statement};
    place.row_end = place.statement.range().end;
  } else {
    find_row(place);
    Node block = place.statement.parent();
    if (block.is({"block"}) && block.named_children().front() == place.row.front()) {
      place.header_colon = colon_on_line_of(block);
    }
  }
  place.indent = file.indentation_at(place.row.front().range().start);
  if (place.header_colon) {
    // No own indentation to learn from: one file unit below the header.
    Node owner = place.header_colon.parent();
    place.unit = unit_at(file, owner, file.indentation_at(owner.range().start));
    place.indent = std::string(file.indentation_at(owner.range().start)) + place.unit;
  } else {
    place.unit = unit_at(file, place.statement, place.indent);
  }
  return place;
}

/// The last line of a statement: of a compound one with the comments behind it that are deeper.
int last_line(Node statement) {
  const SourceFile& file = *statement.file();
  int last = statement.end_line();
  std::string_view indent = file.indentation_at(statement.range().start);
  bool compound =
      statement.end_line() > statement.line() && !statement.is({"expression_statement"});
  if (file.language() != Language::kPython || !compound) return last;
  for (int line = last + 1; file.line_start(line) < file.text().size(); ++line) {
    std::string_view text = file.line_text(line);
    if (trim(text).empty()) continue;
    if (!trim(text).starts_with('#') || indent_of(text).size() <= indent.size()) break;
    last = line;
  }
  return last;
}

/// What a statement of a shared line becomes: lines before it, itself, lines behind it; empty is
/// none.
struct Share {
  std::string before, self, after;
};

/// Takes a shared logical line apart: one statement a line, the chosen one as `share` says, a
/// comment at the end of the line kept with the statement it followed.
Edit take_apart(const Place& place, const Share& share) {
  const SourceFile& file = place.file();
  std::uint32_t line_end = file.line_content_end(file.line_of(place.row_end));
  std::string_view rest = file.text().substr(place.row_end, line_end - place.row_end);
  bool comment = trim(rest).starts_with('#');
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < place.row.size(); ++i) {
    bool chosen = i == place.index;
    std::string self = chosen ? share.self : std::string(place.row[i].text());
    if (comment && i + 1 == place.row.size() && !self.empty()) self += rest;
    if (chosen && !share.before.empty()) lines.push_back(share.before);
    if (!self.empty()) lines.push_back(self);
    if (chosen && !share.after.empty()) lines.push_back(share.after);
  }
  Edit edit;
  edit.range = {place.row.front().range().start, comment ? line_end : place.row_end};
  edit.text = join(lines, place.new_line());
  if (place.header_colon) {
    edit.range.start = place.header_colon.range().end;
    edit.text = place.new_line() + edit.text;
  }
  return edit;
}

/// A statement that is the whole branch of a C++ `if` or loop gets braces when it becomes several.
bool needs_braces(const Place& place) {
  bool branch = place.statement.parent().is({"if_statement", "else_clause", "for_statement",
                                             "for_range_loop", "while_statement", "do_statement"});
  return place.file().language() != Language::kPython && branch &&
         !place.statement.is({"compound_statement"});
}

Edit in_braces(const Place& place, const std::vector<std::string>& statements) {
  std::string inner = place.new_line() + place.unit;
  std::string deeper = place.indent + place.unit;
  std::string text = "{";
  for (const std::string& statement : statements) text += inner + reindent(statement, deeper);
  return {place.statement.range(), text + place.new_line() + "}"};
}

/// Whether a line begins inside one of the node's strings, so that its white space has a meaning.
std::vector<Range> strings_over_lines(Node node) {
  std::vector<Range> strings;
  walk(node, [&](Node inner) {
    if (!inner.is({"string", "string_literal", "raw_string_literal"})) return true;
    if (inner.end_line() > inner.line()) strings.push_back(inner.range());
    return false;
  });
  return strings;
}

/// Calls `visit(line start, line)` for the lines [first, last] whose indentation may be changed.
template <class Visit>
void for_each_movable_line(const SourceFile& file, const std::vector<Range>& strings, int first,
                           int last, Visit visit) {
  for (int line = first; line <= last; ++line) {
    std::uint32_t start = file.line_start(line);
    std::string_view text = file.line_text(line);
    bool in_string = std::any_of(strings.begin(), strings.end(), [&](const Range& string) {
      return string.start < start && start < string.end;
    });
    if (!in_string && !trim(text).empty()) visit(start, text);
  }
}

}  // namespace

Edit insert_before(Node statement, std::string_view block) {
  Place place = place_of(statement);
  if (!place.statement) return {};
  std::string placed = place.placed(block);
  std::uint32_t start = place.statement.range().start;
  if (needs_braces(place)) {
    return in_braces(place, {placed, std::string(place.statement.text())});
  }
  if (place.first()) return insert_at(start, placed + place.new_line());
  return take_apart(place, {.before = placed, .self = std::string(place.statement.text())});
}

Edit insert_after(Node statement, std::string_view block) {
  Place place = place_of(statement);
  if (!place.statement) return {};
  const SourceFile& file = place.file();
  std::string placed = place.placed(block);
  if (needs_braces(place)) {
    return in_braces(place, {std::string(place.statement.text()), placed});
  }
  if (!place.last()) {
    return take_apart(place, {.self = std::string(place.statement.text()), .after = placed});
  }
  std::uint32_t end = place.statement.range().end;
  if (file.language() == Language::kPython || rest_is_blank(file, end)) {
    end = file.line_content_end(last_line(place.statement));
  }
  return insert_at(end, place.new_line() + placed);
}

Edit replace_statement(Node statement, std::string_view block) {
  Place place = place_of(statement);
  if (!place.statement) return {};
  std::string placed = place.placed(block);
  bool one_line = placed.find('\n') == std::string::npos;
  if (needs_braces(place) && !one_line) return in_braces(place, {placed});
  if (place.alone() || fits_on_a_line(placed)) return {place.statement.range(), placed};
  return take_apart(place, {.self = placed});
}

Edit remove_statement(Node statement) {
  Place place = place_of(statement);
  if (!place.statement) return {};
  const SourceFile& file = place.file();
  Range range = place.statement.range();
  Node parent = place.statement.parent();
  if (parent.is({"block"}) && parent.named_children().size() == 1) return {range, "pass"};
  if (needs_braces(place)) return {range, "{}"};
  if (place.index + 1 < place.row.size()) {
    return {{range.start, place.row[place.index + 1].range().start}, ""};
  }
  if (place.index > 0) return {{place.row[place.index - 1].range().end, range.end}, ""};
  bool whole_lines = file.language() == Language::kPython ||
                     (first_on_line(file, range.start) && rest_is_blank(file, range.end));
  if (!whole_lines) return {range, ""};
  int last = place.statement.end_line();
  range.start -= static_cast<std::uint32_t>(place.indent.size());
  range.end = file.line_start(last + 1);
  bool cut_short = file.line_content_end(last) == file.text().size();
  int line_before = place.statement.line() - 1;
  // The last line goes with the line end before it, so that the file ends as it did: without one.
  if (cut_short && line_before > 0) range.start = file.line_content_end(line_before);
  return {range, ""};
}

std::vector<Edit> wrap_statement(Node statement, std::string_view header) {
  Place place = place_of(statement);
  if (!place.statement) return {};
  const SourceFile& file = place.file();
  bool python = file.language() == Language::kPython;
  std::string opening = place.placed(header) + (python ? "" : " {") + place.new_line() + place.unit;
  if (!place.alone()) {
    return {take_apart(place, {.self = opening + std::string(place.statement.text())})};
  }
  std::vector<Edit> edits{insert_at(place.statement.range().start, opening)};
  int first = place.statement.line() + 1;
  int last = last_line(place.statement);
  for_each_movable_line(
      file, strings_over_lines(place.statement), first, last,
      [&](std::uint32_t start, std::string_view text) {
        // Behind the statement's own indentation: tabs and blanks stay in order.
        auto shared = common_prefix(indent_of(text), place.indent).size();
        edits.push_back(insert_at(start + static_cast<std::uint32_t>(shared), place.unit));
      });
  if (!python) edits.push_back(insert_at(place.statement.range().end, place.new_line() + "}"));
  return edits;
}

std::vector<Edit> unwrap_statement(Node node) {
  Node statement = statement_of(node);
  if (!statement.is({"if_statement", "for_statement", "while_statement", "with_statement",
                     "try_statement"}) ||
      statement.file()->language() != Language::kPython) {
    return {};
  }
  const SourceFile& file = *statement.file();
  Node body = statement.field(statement.is({"if_statement"}) ? "consequence" : "body");
  if (!body || body.named_children().empty()) return {};
  for (Node child : statement.named_children()) {
    if (child.is({"elif_clause", "else_clause", "finally_clause"})) return {};
  }
  std::vector<Edit> edits;
  std::uint32_t start = statement.range().start;
  Node first = body.named_children().front();
  if (colon_on_line_of(body)) return {{{start, first.range().start}, ""}};

  std::string_view outer = file.indentation_at(start);
  std::string_view inner = file.indentation_at(first.range().start);
  if (!inner.starts_with(outer) || inner.size() == outer.size()) return {};
  auto extra = static_cast<std::uint32_t>(inner.size() - outer.size());
  // Comments between the header and the first statement belong to the body.
  for (Node child : statement.children()) {
    if (child.range().start >= first.range().start) break;
    if (child.is({"comment"}) && first_on_line(file, child.range().start)) {
      first = child;
      break;
    }
  }
  edits.push_back({{start, first.range().start}, ""});
  int last = body.end_line();
  for_each_movable_line(file, strings_over_lines(body), first.line() + 1, last,
                        [&](std::uint32_t line, std::string_view text) {
                          if (!text.starts_with(inner)) return;
                          std::uint32_t at = line + static_cast<std::uint32_t>(outer.size());
                          edits.push_back({{at, at + extra}, ""});
                        });
  int end = statement.end_line();
  if (end > last) edits.push_back({{file.line_content_end(last), file.line_content_end(end)}, ""});
  return edits;
}

}  // namespace suture
