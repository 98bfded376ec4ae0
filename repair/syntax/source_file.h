#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/syntax/node.h"
#include "repair/syntax/node_table.h"

namespace suture {

struct SyntaxMemo;

enum class Language { kPython, kCpp, kCuda };

/// "python", "cpp", "cuda".
std::string_view to_string(Language language);
std::optional<Language> language_from(std::string_view word);
/// By extension (.py .pyi; .c .cc .cpp .cxx .h .hpp; .cu .cuh); nothing when it is none of ours.
std::optional<Language> language_of(std::string_view path);
const TSLanguage* grammar(Language language);

/// One source file: its bytes and its syntax tree. The bytes are kept exactly as they are on disk
/// (byte order mark, line ends, encoding); tree-sitter reads them as UTF-8, and bytes that are not
/// stay where they are. Not copyable, not movable: Nodes point at it.
class SourceFile {
 public:
  /// Parses. `path` is only a name (relative to the tree). Errors: kBadInput for binary content;
  /// a file with syntax errors is parsed all the same (see first_error).
  static Result<std::unique_ptr<SourceFile>> parse(std::string path, std::string text,
                                                   Language language);
  /// Parses another version of this file; what the edit did not touch is taken from this tree (a
  /// tenth of a parse and less for small edits). Errors: as parse().
  Result<std::unique_ptr<SourceFile>> reparse(std::string text) const;
  ~SourceFile();
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Language language() const { return language_; }
  Node root() const;
  const TSTree* tree() const { return tree_; }

  std::string_view newline() const { return newline_; }  ///< the file's prevailing line end
  std::string_view indent_unit() const {
    return indent_unit_;
  }  ///< "    ", "  ", "\t": the prevailing one

  int line_of(std::uint32_t byte) const;       ///< 1-based
  std::uint32_t line_start(int line) const;    ///< first byte of a 1-based line (clamped)
  std::string_view line_text(int line) const;  ///< without its line end
  /// First byte after the content of a line: before its line end, or the end of the file.
  std::uint32_t line_content_end(int line) const;
  /// White space at the start of the line that holds the byte (after a byte order mark).
  std::string_view indentation_at(std::uint32_t byte) const;

  /// The smallest named node that covers the range.
  Node node_at(Range range) const;
  /// The node above a node of this file; a null node for the root. The hundredth question makes
  /// the table of all nodes: of most files and versions of files little is asked.
  Node parent_of(Node node) const;
  /// The table of all nodes; null until a question has made it.
  const NodeTable* table() const { return table_.load(std::memory_order_acquire); }
  /// What has been found out about its nodes.
  const SyntaxMemo& memo() const { return *memo_; }
  /// ERROR and MISSING nodes in the tree.
  std::uint32_t error_count() const { return error_count_; }
  /// The first ERROR or MISSING node; null when the file parses.
  Node first_error() const;

 private:
  SourceFile();
  /// `old`: the tree of an earlier version, told about the edit; null for a first parse.
  static Result<std::unique_ptr<SourceFile>> build(std::string path, std::string text,
                                                   Language language, const TSTree* old);
  std::string path_, text_, newline_, indent_unit_;
  Language language_ = Language::kPython;
  TSTree* tree_ = nullptr;
  std::vector<std::uint32_t> line_starts_;
  std::uint32_t error_count_ = 0;
  mutable std::atomic<int> parents_asked_ = 0;
  std::unique_ptr<const SyntaxMemo> memo_;
  mutable std::once_flag table_made_;
  mutable std::unique_ptr<const NodeTable> table_kept_;
  mutable std::atomic<const NodeTable*> table_ = nullptr;
};

/// The statement that holds a node, the node itself included: the outermost simple statement, or
/// the compound statement whose header holds it (Python: a child of `module` or `block`; C++: a
/// child of a compound statement, declaration list, class body, `case`, `#if` branch or translation
/// unit). Null for the root. For a decorated definition it is the decorated_definition. The `elif`,
/// `else`, `except`, `finally` and `case` clauses are parts of their statement: a node in the
/// condition of an `elif` gives the if_statement, a node in its body the statement in that body. In
/// C++ the branch of an `if` without braces gives the `if`.
Node enclosing_statement(Node node);
/// The function (function_definition, lambda excluded) that holds the node, not the node itself.
Node enclosing_function(Node node);
/// The class that holds the node, not the node itself.
Node enclosing_class(Node node);
/// Dotted name of the function or class that the node is or lies in: "Outer.method.inner"; "" at
/// module level.
std::string qualified_name(Node node);

}  // namespace suture
