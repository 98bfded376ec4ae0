#include "repair/syntax/edit.h"

#include <fmt/format.h>

#include <algorithm>

namespace suture {

Result<std::string> apply_edits(std::string_view text, std::vector<Edit> edits) {
  // Stable: inserts at one place keep their order. An insert goes before a replacement that starts
  // where it stands.
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.range < b.range; });
  std::string result;
  std::uint32_t done = 0;
  for (auto edit = edits.begin(); edit != edits.end(); ++edit) {
    auto same_range = std::find_if(edits.begin(), edit,
                                   [&](const Edit& other) { return other.range == edit->range; });
    if (std::find(same_range, edit, *edit) != edit) continue;  // made already
    const Range& range = edit->range;
    if (range.start > range.end || range.end > text.size()) {
      return fail(ErrorKind::kInternal, fmt::format("edit [{}, {}) lies outside a text of {} bytes",
                                                    range.start, range.end, text.size()));
    }
    if (range.start < done) {
      return fail(ErrorKind::kInternal, fmt::format("edits overlap at byte {}", range.start));
    }
    result.append(text.substr(done, range.start - done));
    result.append(edit->text);
    done = range.end;
  }
  result.append(text.substr(done));
  return result;
}

namespace {

/// Blocks without a statement, which the Python grammar lets pass. Looks at statements only, not
/// into their expressions.
std::vector<Node> empty_blocks(const SourceFile& file) {
  std::vector<Node> found;
  if (file.language() != Language::kPython) return found;
  walk(file.root(), [&](Node node) {
    std::string_view kind = node.kind();
    if (kind == "module" || kind == "block") {
      Node first = node.named_child(0);
      bool empty = !first || (first.is_trivia() && node.named_children().empty());
      if (kind == "block" && empty) found.push_back(node);
      return true;
    }
    return kind != "expression_statement" &&
           (kind.ends_with("_statement") || kind.ends_with("_clause") ||
            kind.ends_with("_definition"));
  });
  return found;
}

/// All that makes a file unusable, in document order.
std::vector<Node> defects(const SourceFile& file) {
  std::vector<Node> found = empty_blocks(file);
  if (file.error_count() > 0) {
    walk(file.root(), [&](Node node) {
      if (node.is_error_or_missing()) found.push_back(node);
      return node.has_error();
    });
  }
  std::stable_sort(found.begin(), found.end(),
                   [](Node a, Node b) { return a.range().start < b.range().start; });
  return found;
}

tl::unexpected<Error> syntax_error(const SourceFile& file, Node at) {
  std::string what = at.is({"block"}) ? "a block without a statement" : "a syntax error";
  return fail(ErrorKind::kBadInput,
              fmt::format("the edit leaves {} in line {} of {}", what, at.line(), file.path()), {},
              SourcePos{file.path(), at.line(), at.column() + 1});
}

/// The first defect whose line was not already defective with the same text.
Node first_new(const std::vector<Node>& before, const std::vector<Node>& after) {
  for (Node node : after) {
    auto same = [&](Node old) {
      return old.file()->line_text(old.line()) == node.file()->line_text(node.line());
    };
    if (std::none_of(before.begin(), before.end(), same)) return node;
  }
  return after.empty() ? Node() : after.front();
}

}  // namespace

Result<std::unique_ptr<SourceFile>> parse_edited(const SourceFile& original, std::string edited) {
  TRY(std::unique_ptr<SourceFile> file, original.reparse(edited));
  // Reusing a tree may recover from an error in another way than a parse from scratch: only the
  // latter may refuse an edit.
  if (file->error_count() > original.error_count()) {
    TRY(file, SourceFile::parse(original.path(), std::move(edited), original.language()));
  }
  std::vector<Node> before = defects(original);
  std::vector<Node> after = defects(*file);
  if (after.size() > before.size()) return syntax_error(*file, first_new(before, after));
  return file;
}

Status check_syntax(const SourceFile& original, std::string_view edited) {
  TRY_STATUS(parse_edited(original, std::string(edited)));
  return {};
}

}  // namespace suture
