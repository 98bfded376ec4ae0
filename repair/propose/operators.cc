#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "repair/base/text.h"
#include "repair/propose/call_arguments.h"
#include "repair/propose/conditions.h"
#include "repair/propose/guards.h"
#include "repair/propose/imports_and_moves.h"
#include "repair/propose/lookups.h"
#include "repair/propose/operator.h"
#include "repair/propose/precedence.h"
#include "repair/propose/stand_ins.h"
#include "repair/propose/statements.h"
#include "repair/propose/template.h"
#include "repair/propose/threading.h"

namespace suture {
namespace {

/// Bindings with the names that every template may use.
Bindings with_builtins(const Match& match, std::string_view text) {
  Bindings bindings = match.bindings;
  auto add = [&](const char* name, std::string_view anchor_name) {
    if (text.find(std::string("$") + name) == std::string_view::npos) return;
    Node node = anchor(match, anchor_name);
    if (node) bindings[name] = {std::string(node.text()), node};
  };
  add("MATCH", "match");
  add("STATEMENT", "statement");
  add("CONDITION", "condition");
  if (Node call = text.find("$CALLED") != std::string_view::npos ? call_at(match.node) : Node()) {
    bindings["CALLED"] = {std::string(call.field("function").text()), call.field("function")};
  }
  if (Node function = enclosing_function(match.node)) {
    bindings["FUNCTION"] = {std::string(function.field("name").text()), {}};
  }
  if (Node cls = enclosing_class(match.node))
    bindings["CLASS"] = {std::string(cls.field("name").text()), {}};
  bindings["MODULE"] = {match.input.tree.module_of_file(match.file.path()), {}};
  return bindings;
}

std::string fill(const Match& match, const Arguments& arguments, std::string_view name) {
  std::string text = arguments.one(name);
  return fill_template(text, with_builtins(match, text), match.file.language());
}

Node anchor_of(const Match& match, const Arguments& arguments, std::string_view name) {
  return anchor(match, arguments.one(name));
}

bool is_statement(Node node) { return node.parent().is({"module", "block"}); }

void add(TreeEdits& edits, Node place, Edit edit) {
  edits[place.file()->path()].push_back(std::move(edit));
}

bool replace(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor_of(match, arguments, "replace");
  if (!node) return false;
  std::string code = fill(match, arguments, "with");
  if (is_statement(node) && !trim(code).empty() && node.kind() != "block") {
    add(edits, node, replace_statement(node, code));
  } else {
    add(edits, node, {node.range(), fit_into(node, code)});
  }
  return true;
}

bool remove(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor_of(match, arguments, "delete");
  if (!node || !is_statement(node)) return false;
  add(edits, node, remove_statement(node));
  return true;
}

bool insert_above(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor_of(match, arguments, "insert_before");
  if (!node || !is_statement(node)) return false;
  add(edits, node, insert_before(node, fill(match, arguments, "code")));
  return true;
}

bool insert_below(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor_of(match, arguments, "insert_after");
  if (!node || !is_statement(node)) return false;
  add(edits, node, insert_after(node, fill(match, arguments, "code")));
  return true;
}

bool wrap(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor_of(match, arguments, "wrap");
  if (!node || !is_statement(node)) return false;
  std::vector<Edit> steps = wrap_statement(node, fill(match, arguments, "in"));
  for (Edit& edit : steps) add(edits, node, std::move(edit));
  return !steps.empty();
}

bool unwrap(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node node = anchor_of(match, arguments, "unwrap");
  if (!node || !is_statement(node)) return false;
  std::vector<Edit> steps = unwrap_statement(node);
  for (Edit& edit : steps) add(edits, node, std::move(edit));
  return !steps.empty();
}

/// A statement's text with its continuation lines relative to its own indentation.
std::string statement_text(Node statement) { return reindent(statement.text(), ""); }

bool move(const Match& match, const Arguments& arguments, std::string_view self, TreeEdits& edits,
          Edit (*insert)(Node, std::string_view)) {
  Node what = anchor_of(match, arguments, self);
  Node where = anchor_of(match, arguments, "to");
  if (!what || !where || what == where || !is_statement(what) || !is_statement(where)) return false;
  if (where.range().overlaps(what.range()) && !where.range().contains(what.range())) return false;
  if (insert == insert_after && where.range().contains(what.range()) &&
      where.range().end == what.range().end) {
    // The last statement of a block comes out of it: it stays on its lines, with less indentation.
    const SourceFile& file = *what.file();
    std::uint32_t start = file.line_start(what.line());
    bool own_line = trim(file.text().substr(start, what.range().start - start)).empty();
    if (!own_line || !what.previous_named_sibling()) return false;
    std::string indent(file.indentation_at(where.range().start));
    add(edits, what, {{start, what.range().end}, indent + reindent(what.text(), indent)});
    return true;
  }
  Edit removal = remove_statement(what);
  Edit insertion = insert(where, statement_text(what));
  if (removal.range.overlaps(insertion.range)) return false;
  add(edits, what, std::move(removal));
  add(edits, where, std::move(insertion));
  return true;
}

bool move_before(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  return move(match, arguments, "move_before", edits, insert_before);
}
bool move_after(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  return move(match, arguments, "move_after", edits, insert_after);
}

bool add_positional(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node call = call_at(anchor_of(match, arguments, "add_argument"));
  if (!call) return false;
  add(edits, call, add_positional_argument(call, fill(match, arguments, "value")));
  return true;
}

bool add_keyword(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node call = call_at(anchor_of(match, arguments, "add_keyword"));
  if (!call) return false;
  std::string name = fill(match, arguments, "name");
  auto given = keywords_of(call);
  if (std::find(given.begin(), given.end(), name) != given.end()) return false;
  add(edits, call, add_keyword_argument(call, name + "=" + fill(match, arguments, "value")));
  return true;
}

bool drop_argument(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node argument = anchor_of(match, arguments, "remove_argument");
  if (argument && argument.parent().kind() == "keyword_argument") argument = argument.parent();
  if (!argument || argument.parent().kind() != "argument_list") return false;
  add(edits, argument, remove_argument(argument));
  return true;
}

bool extend_signature(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node function = anchor_of(match, arguments, "add_parameter");
  if (!function.is({"function_definition", "lambda"})) return false;
  auto edit = add_parameter(function, fill(match, arguments, "parameter"));
  if (!edit) return false;
  add(edits, function, std::move(*edit));
  return true;
}

bool import(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  std::string statement = fill(match, arguments, "import");
  auto edit = ensure_import(match.file, statement);
  // Nothing to do is no obstacle to the other edits of the rewrite.
  if (!edit) return statement.starts_with("import ") || statement.starts_with("from ");
  edits[match.file.path()].push_back(std::move(*edit));
  return true;
}

/// Joins a condition with one more operand.
bool join_condition(const Match& match, const Arguments& arguments, std::string_view self,
                    std::string_view word, TreeEdits& edits) {
  Node condition = anchor_of(match, arguments, self);
  if (!condition) return false;
  bool first = arguments.one("side", "left") == "left";
  Bindings bindings = match.bindings;
  std::string operand = fill(match, arguments, "with");
  std::string code =
      first ? "$OPERAND " + std::string(word) + " $OLD" : "$OLD " + std::string(word) + " $OPERAND";
  bindings["OPERAND"] = {operand, {}};
  bindings["OLD"] = {std::string(condition.text()), condition};
  add(edits, condition,
      {condition.range(),
       fit_into(condition, fill_template(code, bindings, match.file.language()))});
  return true;
}

bool add_conjunct(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  return join_condition(match, arguments, "add_conjunct", "and", edits);
}
bool add_disjunct(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  return join_condition(match, arguments, "add_disjunct", "or", edits);
}

/// The first of ascending numbers that is above another; null when the others do not ascend.
Node first_above(const std::vector<Node>& items, std::string_view item) {
  auto number = [](std::string_view text) {
    int value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional<int>(value) : std::nullopt;
  };
  std::optional<int> added = number(item), last;
  Node above;
  for (Node node : items) {
    std::optional<int> value = number(node.text());
    if (!added || !value || (last && *value <= *last)) return {};
    if (*value > *added && !above) above = node;
    last = value;
  }
  return above;
}

/// An element at the end of a list, tuple, set or dict; among ascending numbers at its place.
bool append_item(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node collection = anchor_of(match, arguments, "append_item");
  if (!collection.is({"list", "tuple", "set", "dictionary"})) return false;
  std::string item = fill(match, arguments, "item");
  auto items = collection.named_children();
  if (items.empty()) {
    std::uint32_t at = collection.range().start + 1;
    add(edits, collection, {{at, at}, collection.kind() == "tuple" ? item + "," : item});
    return true;
  }
  // One item a line stays one item a line.
  bool own_lines =
      collection.line() != collection.end_line() && items.back().line() != collection.line();
  std::string separator =
      own_lines ? "," + std::string(match.file.newline()) +
                      std::string(collection.file()->indentation_at(items.back().range().start))
                : ", ";
  if (Node next = first_above(items, item); next && !own_lines) {
    std::uint32_t start = next.range().start;
    add(edits, collection, {{start, start}, item + ", "});
    return true;
  }
  std::uint32_t at = items.back().range().end;
  add(edits, collection, {{at, at}, separator + item});
  return true;
}

bool swap(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node a = anchor_of(match, arguments, "swap"), b = anchor_of(match, arguments, "and");
  if (!a || !b || a.range().overlaps(b.range()) || a.text() == b.text()) return false;
  add(edits, a, {a.range(), fit_into(a, b.text())});
  add(edits, b, {b.range(), fit_into(b, a.text())});
  return true;
}

bool decorate(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node definition = anchor_of(match, arguments, "decorate");
  if (!definition.is({"function_definition", "class_definition"})) return false;
  const SourceFile& file = *definition.file();
  std::uint32_t at = definition.range().start;
  std::string line = fill(match, arguments, "with") + std::string(file.newline()) +
                     std::string(file.indentation_at(at));
  add(edits, definition, {{at, at}, line});
  return true;
}

/// A method or statement at the end of a class or function body.
bool append_to_body(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node definition = anchor_of(match, arguments, "append_to_body");
  Node body = definition.field("body");
  if (!body || body.named_child_count() == 0) return false;
  Node last = body.named_child(body.named_child_count() - 1);
  Edit edit = insert_after(last, fill(match, arguments, "code"));
  // Blank lines of the code stay without indentation.
  static const re2::RE2 blank("(?m)^[ \\t]+(\\r?)$");
  re2::RE2::GlobalReplace(&edit.text, blank, "\\1");
  add(edits, definition, std::move(edit));
  return true;
}

/// A statement at the start of a function body, after its docstring.
bool prepend_to_body(const Match& match, const Arguments& arguments, TreeEdits& edits) {
  Node definition = anchor_of(match, arguments, "prepend_to_body");
  Node body = definition.field("body");
  if (!body || body.named_child_count() == 0) return false;
  Node first = body.named_children().front();
  bool docstring =
      first.kind() == "expression_statement" && first.named_child(0).kind() == "string";
  std::string code = fill(match, arguments, "code");
  add(edits, definition, docstring ? insert_after(first, code) : insert_before(first, code));
  return true;
}

Signature takes(std::vector<std::string> required, std::vector<std::string> optional = {}) {
  return {std::move(required), std::move(optional)};
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = {
      {"add_argument", "adds a positional argument to a call", takes({"add_argument", "value"}),
       add_positional},
      {"add_at_end", "adds statements at the end of a function, in front of a final return",
       takes({"add_at_end", "code"}), add_at_end},
      {"add_conjunct", "`C` becomes `X and C` (side: right for `C and X`)",
       takes({"add_conjunct", "with"}, {"side"}), add_conjunct},
      {"add_disjunct", "`C` becomes `X or C` (side: right for `C or X`)",
       takes({"add_disjunct", "with"}, {"side"}), add_disjunct},
      {"add_field", "adds an annotated field to a class", takes({"add_field", "field"}), add_field},
      {"add_keyword", "adds a keyword argument to a call", takes({"add_keyword", "name", "value"}),
       add_keyword},
      {"add_parameter", "adds a parameter to a function's signature",
       takes({"add_parameter", "parameter"}), extend_signature},
      {"append_item", "adds an element to a list, tuple, set or dict",
       takes({"append_item", "item"}), append_item},
      {"append_to_body", "adds statements at the end of a class or function",
       takes({"append_to_body", "code"}), append_to_body},
      {"append_to_module", "adds statements at the end of the file", takes({"append_to_module"}),
       append_to_module},
      {"by_keyword", "passes a positional argument and those behind it by name",
       takes({"by_keyword"}), by_keyword},
      {"choose", "`V` becomes `V if C else F` (when, else)", takes({"choose", "when", "else"}),
       choose},
      {"decorate", "puts a decorator on a definition", takes({"decorate", "with"}), decorate},
      {"defer_import", "moves a module-level import into the functions that use it",
       takes({"defer_import"}), defer_import},
      {"delete", "removes a statement", takes({"delete"}), remove},
      {"follow_move", "uses the new place of a moved name (in: file or match)",
       takes({"follow_move", "move"}, {"in"}), follow_move},
      {"follow_moves",
       "uses the new places of all names that a module lost, that of the move among them (in: file "
       "or tree)",
       takes({"follow_moves"}, {"in"}), follow_moves},
      {"import", "makes an import available in the match's file", takes({"import"}), import},
      {"import_called", "imports the function that a call calls, when the file does not have it",
       takes({"import_called"}), import_called},
      {"insert_after", "adds statements after a statement", takes({"insert_after", "code"}),
       insert_below},
      {"insert_before", "adds statements before a statement", takes({"insert_before", "code"}),
       insert_above},
      {"move_after", "moves a statement behind another", takes({"move_after", "to"}), move_after},
      {"move_before", "moves a statement in front of another", takes({"move_before", "to"}),
       move_before},
      {"move_import", "imports a name (all of them without `name`) from another module",
       takes({"move_import", "from"}, {"name"}), move_import},
      {"pass_argument", "adds `name=value`, `**rest` or a value to a call",
       takes({"pass_argument", "argument"}), pass_argument},
      {"pass_from_caller",
       "passes the caller's value of a name at the call, in the traceback, of the match's function",
       takes({"pass_from_caller"}), pass_from_caller},
      {"prepend_to_body", "adds statements at the start of a function, after its docstring",
       takes({"prepend_to_body", "code"}), prepend_to_body},
      {"remove_argument", "removes an argument from a call", takes({"remove_argument"}),
       drop_argument},
      {"remove_decorator", "takes a decorator off", takes({"remove_decorator"}), remove_decorator},
      {"rename_definition", "gives a function or class another name, at all its uses too",
       takes({"rename_definition", "to"}), rename_definition},
      {"replace", "replaces a node", takes({"replace", "with"}), replace},
      {"replace_all", "replaces a node and its likes (in: function, file, rest or conditions)",
       takes({"replace_all", "with"}, {"in"}), replace_everywhere},
      {"set_default", "gives a parameter a default", takes({"set_default", "parameter", "value"}),
       set_default},
      {"swap", "exchanges two nodes", takes({"swap", "and"}), swap},
      {"thread_keyword", "adds a parameter and passes it to the call in the body that takes it",
       takes({"thread_keyword", "name"}), thread_keyword},
      {"unwrap", "removes the header of a compound statement and keeps its body", takes({"unwrap"}),
       unwrap},
      {"wrap", "puts a statement under a header", takes({"wrap", "in"}), wrap},
  };
  return all;
}

const Operator* find_operator(std::string_view name) {
  const auto& all = operators();
  auto at = std::find_if(all.begin(), all.end(), [&](const Operator& o) { return o.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace suture
