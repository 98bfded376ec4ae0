#include "repair/syntax/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "repair/base/text.h"
#include "repair/syntax/syntax_memo.h"
#include "repair/syntax/walk_path.h"

extern "C" {
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_cpp();
const TSLanguage* tree_sitter_cuda();
}

namespace suture {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlank = " \t\f";
constexpr int kFewParents = 100;

struct LanguageRow {
  Language language;
  std::string_view word;
  const TSLanguage* (*grammar)();
  std::vector<std::string_view> extensions;
};

const std::array<LanguageRow, 3>& languages() {
  static const std::array<LanguageRow, 3> rows{{
      {Language::kPython, "python", tree_sitter_python, {".py", ".pyi"}},
      {Language::kCpp, "cpp", tree_sitter_cpp, {".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"}},
      {Language::kCuda, "cuda", tree_sitter_cuda, {".cu", ".cuh"}},
  }};
  return rows;
}

const LanguageRow& row(Language language) {
  return languages()[static_cast<std::size_t>(language)];
}

struct ParserDelete {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

/// A parser keeps its stacks between files: one a thread and language.
TSParser* parser_for(Language language) {
  thread_local std::array<std::unique_ptr<TSParser, ParserDelete>, 3> parsers;
  auto& parser = parsers[static_cast<std::size_t>(language)];
  if (!parser) {
    parser.reset(ts_parser_new());
    ts_parser_set_language(parser.get(), grammar(language));
  }
  return parser.get();
}

std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  const char* begin = text.data();
  const char* end = begin + text.size();
  for (const char* at = begin; at < end; ++at) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    starts.push_back(static_cast<std::uint32_t>(at - begin + 1));
  }
  return starts;
}

std::string_view leading_blanks(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(kBlank), line.size()));
}

std::string_view prevailing_newline(std::string_view text,
                                    const std::vector<std::uint32_t>& line_starts) {
  auto crlf = std::count_if(line_starts.begin(), line_starts.end(), [&](std::uint32_t start) {
    return start >= 2 && text[start - 2] == '\r';
  });
  return static_cast<std::size_t>(crlf) * 2 > line_starts.size() - 1 ? "\r\n" : "\n";
}

/// The most frequent step from a line that opens a block (ends with ":" or "{") to the next one.
std::string prevailing_indent_unit(const SourceFile& file, int lines) {
  std::map<std::string_view, int> votes;
  std::string_view opener_indent;
  bool opened = false;
  for (int line = 1; line <= lines; ++line) {
    std::string_view text = file.line_text(line);
    std::string_view content = trim(text);
    if (content.empty()) continue;
    std::string_view indent = leading_blanks(text);
    if (opened && indent.size() > opener_indent.size() && indent.starts_with(opener_indent)) {
      ++votes[indent.substr(opener_indent.size())];
    }
    opened = content.back() == ':' || content.back() == '{';
    opener_indent = indent;
  }
  auto most = std::max_element(votes.begin(), votes.end(),
                               [](auto& a, auto& b) { return a.second < b.second; });
  if (most != votes.end()) return std::string(most->first);
  return file.language() == Language::kPython ? "    " : "  ";
}

/// Calls `visit` for the ERROR and MISSING nodes until it returns false. Sound subtrees are
/// skipped.
template <class Visit>
void for_each_error(Node root, Visit visit) {
  bool go_on = true;
  walk(root, [&](Node node) {
    if (!go_on || !(node.has_error() || node.is_error_or_missing())) return false;
    if (node.is_error_or_missing()) go_on = visit(node);
    return go_on;
  });
}

/// Whether the children of a node are statements, one by one.
bool holds_statements(Node node) {
  if (node.is({"module", "block"})) return true;
  return node.is({"translation_unit", "compound_statement", "declaration_list",
                  "field_declaration_list", "case_statement", "preproc_if", "preproc_ifdef",
                  "preproc_else", "preproc_elif"});
}

/// Children of such a node that are not statements themselves.
bool is_statement_child(Node node, Node parent) {
  if (!node.named() || node.is_trivia() || node.is({"case_clause"})) return false;
  if (parent.is({"case_statement"})) return !(node == parent.field("value"));
  if (parent.is({"preproc_if", "preproc_elif"})) return !(node == parent.field("condition"));
  return !(parent.is({"preproc_ifdef"}) && node == parent.field("name"));
}

}  // namespace

std::string_view to_string(Language language) { return row(language).word; }

std::optional<Language> language_from(std::string_view word) {
  for (const LanguageRow& row : languages()) {
    if (row.word == word) return row.language;
  }
  return std::nullopt;
}

std::optional<Language> language_of(std::string_view path) {
  std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::string_view extension = path.substr(dot);
  for (const LanguageRow& row : languages()) {
    if (std::find(row.extensions.begin(), row.extensions.end(), extension) !=
        row.extensions.end()) {
      return row.language;
    }
  }
  return std::nullopt;
}

const TSLanguage* grammar(Language language) {
  static const std::array<const TSLanguage*, 3> grammars = [] {
    std::array<const TSLanguage*, 3> made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = languages()[i].grammar();
    return made;
  }();
  return grammars[static_cast<std::size_t>(language)];
}

Result<std::unique_ptr<SourceFile>> SourceFile::parse(std::string path, std::string text,
                                                      Language language) {
  TRY(std::unique_ptr<SourceFile> file, build(std::move(path), std::move(text), language, nullptr));
  file->newline_ = prevailing_newline(file->text_, file->line_starts_);
  file->indent_unit_ = prevailing_indent_unit(*file, static_cast<int>(file->line_starts_.size()));
  return file;
}

Result<std::unique_ptr<SourceFile>> SourceFile::reparse(std::string text) const {
  auto common = static_cast<std::uint32_t>(
      std::mismatch(text_.begin(), text_.end(), text.begin(), text.end()).first - text_.begin());
  std::uint32_t old_end = static_cast<std::uint32_t>(text_.size());
  std::uint32_t new_end = static_cast<std::uint32_t>(text.size());
  while (old_end > common && new_end > common && text_[old_end - 1] == text[new_end - 1]) {
    --old_end;
    --new_end;
  }
  auto point = [](std::string_view in, std::uint32_t byte) {
    std::string_view before = in.substr(0, byte);
    std::size_t newline = before.rfind('\n');
    auto column = newline == std::string_view::npos ? byte : byte - newline - 1;
    return TSPoint{static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
                   static_cast<std::uint32_t>(column)};
  };
  TSInputEdit edit{
      common, old_end, new_end, point(text_, common), point(text_, old_end), point(text, new_end)};
  TSTree* edited = ts_tree_copy(tree_);
  ts_tree_edit(edited, &edit);
  auto made = build(path_, std::move(text), language_, edited);
  ts_tree_delete(edited);
  if (!made) return made;
  (*made)->newline_ = newline_;  // one edit does not change what prevails
  (*made)->indent_unit_ = indent_unit_;
  return made;
}

Result<std::unique_ptr<SourceFile>> SourceFile::build(std::string path, std::string text,
                                                      Language language, const TSTree* old) {
  if (looks_binary(text)) return fail(ErrorKind::kBadInput, fmt::format("{} is binary", path));
  if (text.size() > (std::size_t{1} << 31)) {
    return fail(ErrorKind::kBadInput, fmt::format("{} is larger than 2 GB", path));
  }
  std::unique_ptr<SourceFile> file(new SourceFile);
  file->path_ = std::move(path);
  file->text_ = std::move(text);
  file->language_ = language;
  file->line_starts_ = find_line_starts(file->text_);
  file->tree_ = ts_parser_parse_string(parser_for(language), old, file->text_.data(),
                                       static_cast<std::uint32_t>(file->text_.size()));
  if (file->tree_ == nullptr) {
    return fail(ErrorKind::kInternal, fmt::format("cannot parse {}", file->path_));
  }
  for_each_error(file->root(), [&](Node) {
    ++file->error_count_;
    return true;
  });
  return file;
}

Node SourceFile::parent_of(Node node) const {
  if (TSNode parent{}; WalkPath::knows(*this, node.raw(), parent)) return Node(parent, this);
  if (parents_asked_.fetch_add(1, std::memory_order_relaxed) < kFewParents)
    return Node(ts_node_parent(node.raw()), this);
  std::call_once(table_made_, [this] {
    table_kept_ = std::make_unique<NodeTable>(tree_);
    table_.store(table_kept_.get(), std::memory_order_release);
  });
  NodeTable::Index at = table_kept_->find(node.raw());
  NodeTable::Index above = at == NodeTable::kNone ? at : (*table_kept_)[at].parent;
  return above == NodeTable::kNone ? Node() : Node(*table_kept_, above, this);
}

SourceFile::SourceFile() : memo_(std::make_unique<SyntaxMemo>()) {}

SourceFile::~SourceFile() {
  if (tree_ != nullptr) ts_tree_delete(tree_);
}

Node SourceFile::root() const { return Node(ts_tree_root_node(tree_), this); }

int SourceFile::line_of(std::uint32_t byte) const {
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte);
  return static_cast<int>(after - line_starts_.begin());
}

std::uint32_t SourceFile::line_start(int line) const {
  if (line < 1) return 0;
  auto index = static_cast<std::size_t>(line - 1);
  return index < line_starts_.size() ? line_starts_[index]
                                     : static_cast<std::uint32_t>(text_.size());
}

std::uint32_t SourceFile::line_content_end(int line) const {
  std::uint32_t start = line_start(line);
  std::uint32_t end = line_start(line + 1);
  if (end > start && text_[end - 1] == '\n') --end;
  if (end > start && text_[end - 1] == '\r') --end;
  return end;
}

std::string_view SourceFile::line_text(int line) const {
  std::uint32_t start = line_start(line);
  return text().substr(start, line_content_end(line) - start);
}

std::string_view SourceFile::indentation_at(std::uint32_t byte) const {
  std::string_view line = line_text(line_of(byte));
  if (line.data() == text_.data() && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  return leading_blanks(line);
}

Node SourceFile::node_at(Range range) const {
  return Node(
      ts_node_named_descendant_for_byte_range(ts_tree_root_node(tree_), range.start, range.end),
      this);
}

Node SourceFile::first_error() const {
  Node first;
  for_each_error(root(), [&](Node node) {
    first = node;
    return false;
  });
  return first;
}

Node enclosing_statement(Node node) {
  while (node) {
    Node parent = node.parent();
    if (holds_statements(parent) && is_statement_child(node, parent)) return node;
    node = parent;
  }
  return {};
}

Node enclosing_function(Node node) { return node.ancestor({"function_definition"}); }

Node enclosing_class(Node node) {
  return node.ancestor({"class_definition", "class_specifier", "struct_specifier"});
}

namespace {

/// The name that a function or class gives itself; C++ keeps a function's inside its declarators.
std::string_view own_name(Node definition) {
  if (Node name = definition.field("name")) return name.text();
  Node declarator = definition.field("declarator");
  while (Node inner = declarator.field("declarator")) declarator = inner;
  return declarator.text();
}

}  // namespace

std::string qualified_name(Node node) {
  std::vector<std::string> parts;
  if (node.is({"decorated_definition"})) node = node.field("definition");
  for (; node; node = node.parent()) {
    if (!node.is({"function_definition", "class_definition", "class_specifier", "struct_specifier",
                  "namespace_definition"})) {
      continue;
    }
    if (std::string_view name = own_name(node); !name.empty()) parts.emplace_back(name);
  }
  std::reverse(parts.begin(), parts.end());
  return join(parts, ".");
}

}  // namespace suture
