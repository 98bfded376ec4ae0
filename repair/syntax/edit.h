#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repair/base/result.h"
#include "repair/syntax/node.h"
#include "repair/syntax/source_file.h"

namespace suture {

/// Replaces the bytes of a range. start == end inserts.
struct Edit {
  Range range;
  std::string text;
  auto operator<=>(const Edit&) const = default;
};

inline Edit insert_at(std::uint32_t byte, std::string text) {
  return {{byte, byte}, std::move(text)};
}

/// Applies edits, given in any order. Nothing outside the ranges changes. Inserts at one place are
/// kept in the order given; identical edits are made once. Errors: kInternal for ranges that
/// overlap or lie outside the text.
Result<std::string> apply_edits(std::string_view text, std::vector<Edit> edits);

/// Parses the edited text and refuses it when it has more ERROR or MISSING nodes than the original.
/// Errors: kBadInput naming the first new error's line.
Status check_syntax(const SourceFile& original, std::string_view edited);
/// The same, for who goes on with the parsed text.
Result<std::unique_ptr<SourceFile>> parse_edited(const SourceFile& original, std::string edited);

/// Moves a block of code to another indentation: the common indentation of its logical lines
/// becomes `indent`, deeper lines keep what is deeper. A first line without white space may be a
/// block written at column 0 or the text of a node, cut off from its indentation: the lines below
/// it decide (those that belong to it, after `:` or within brackets, are one level deeper). Lines
/// that begin inside a string over several lines are left alone, lines of white space become empty.
/// The first line gets no indentation: it goes where the caller stands.
std::string reindent(std::string_view block, std::string_view indent);

/// A block written with "\n" and four blanks a level, in the file's own line ends and indent unit.
/// Indentation stays as it is when some line is not at a multiple of four.
std::string in_style_of(const SourceFile& file, std::string_view block);

// Edits of statements. A node that is not a statement stands for the one that holds it (see
// enclosing_statement), except that in C++ any `..._statement` is meant itself, also as the branch
// of an `if` without braces. `block` is written with "\n" and four blanks a level, without a final
// newline. Where statements share a line (`if a: b`, `a; b`), the line is taken apart into one
// statement a line when needed, comments and the statements' own bytes kept.

/// The edit that inserts whole lines before/after a statement, at the statement's indentation.
/// After a compound statement means after the comments that follow it at a deeper indentation.
Edit insert_before(Node statement, std::string_view block);
Edit insert_after(Node statement, std::string_view block);
/// The edit that replaces a statement by such a block; a comment behind the statement stays.
Edit replace_statement(Node statement, std::string_view block);
/// The edit that removes a statement with its line(s) and a comment behind it; comment lines above
/// stay. The only statement of a Python block becomes `pass`.
Edit remove_statement(Node statement);
/// The edits that put a statement under a header (`if x is not None:`; C++: without the brace): the
/// header at the statement's indentation, the statement's own bytes one unit deeper (strings over
/// several lines untouched). Always possible; empty only when there is no statement.
std::vector<Edit> wrap_statement(Node statement, std::string_view header);
/// The edits that remove the header of an if, for, while, with or try and dedent its body; the
/// handlers of a try go too. Empty when that is not possible: other statements, other languages, an
/// elif, else or finally that would be lost, indentation that mixes tabs and blanks.
std::vector<Edit> unwrap_statement(Node statement);

/// The edit that adds an argument to a call (Python and C++; also to the bases of a class):
/// positional before the first keyword, keyword at the end but before **kwargs; trailing commas,
/// comments and one argument a line respected. An insert of nothing when the node has no arguments.
Edit add_positional_argument(Node call, std::string_view argument);
Edit add_keyword_argument(Node call, std::string_view argument);
/// Removes an argument (a child of the argument list, or an item of any such list) with its comma.
Edit remove_argument(Node argument);
/// Adds a parameter to a Python function or lambda: required before the first default,
/// `name=default` before a bare `*`, but behind `*args` (calls that fill `*args` keep their
/// meaning) and always before
/// **kwargs; `*args`/`**kwargs` at their place. Nothing when a parameter of that name, or another
/// `*x`/`**x`, is there already, or for an annotated one in a lambda.
std::optional<Edit> add_parameter(Node function, std::string_view parameter);
/// The edit that makes a Python import available at module level: `import a.b [as c]`, `from m
/// import X [as Y], ...`. Joins an existing `from m import ...` of the leading imports
/// (parenthesised or not, sorted where it is sorted), else goes behind the last of them, else
/// behind the docstring. Never into an `if` or `try`. Nothing when every name is already bound by
/// an equal import at module level or in a `try` there (one under `if TYPE_CHECKING:` does not
/// count), or when it is no import.
std::optional<Edit> ensure_import(const SourceFile& file, std::string_view statement);

}  // namespace suture
