#include "repair/propose/plain_defects.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/lookups.h"
#include "repair/propose/operator.h"

namespace suture {
namespace {

Ingredient place(Node node) { return {std::string(node.text()), 1, node}; }

std::string squeezed(std::string_view code) {
  std::string kept;
  for (char c : code) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) kept += c == '\'' ? '"' : c;
  }
  return kept;
}

// ---- texts with placeholders ----

/// The characters of a literal as written, without quotes; interpolations are left out.
struct Literal {
  std::string text;
  bool formatted = false;  ///< an f-string somewhere in it
};

/// Nothing when the node is no literal text, or one of bytes.
std::optional<Literal> literal_of(Node node) {
  if (node.kind() == "parenthesized_expression" && node.named_child_count() == 1)
    return literal_of(node.named_child(0));
  Literal literal;
  if (node.kind() == "concatenated_string") {
    for (Node part : node.named_children()) {
      auto piece = literal_of(part);
      if (!piece) return std::nullopt;
      literal.text += piece->text;
      literal.formatted |= piece->formatted;
    }
    return literal;
  }
  if (node.kind() != "string" || node.child_count() == 0) return std::nullopt;
  std::string_view prefix = node.child(0).text();
  if (prefix.find_first_of("bB") != std::string_view::npos) return std::nullopt;
  literal.formatted = prefix.find_first_of("fF") != std::string_view::npos;
  for (Node part : node.named_children()) {
    if (part.kind() == "string_content") literal.text += part.text();
  }
  return literal;
}

/// Values that a text with `%s` and the like takes; nothing for named ones and for what is no
/// directive.
std::optional<std::size_t> percent_directives(const std::string& text) {
  static const RE2 directive(
      R"(%(?:%|(?P<named>\([^)]*\))?[#0\- +]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?[diouxXeEfFgGcrsa]))");
  std::size_t count = 0;
  re2::StringPiece rest(text);
  while (true) {
    const char* percent = static_cast<const char*>(
        rest.empty() ? nullptr : std::memchr(rest.data(), '%', rest.size()));
    if (percent == nullptr) return count;
    rest.remove_prefix(std::size_t(percent - rest.data()));
    re2::StringPiece found[4];
    if (!directive.Match(rest, 0, rest.size(), RE2::ANCHOR_START, found, 4)) return std::nullopt;
    if (!found[1].empty()) return std::nullopt;
    if (found[0] != "%%") count += 1 + std::size_t(found[2] == "*") + std::size_t(found[3] == "*");
    rest.remove_prefix(found[0].size());
  }
}

/// What the fields of a text for str.format ask for.
struct FormatFields {
  std::size_t automatic = 0;  ///< `{}`
  std::size_t highest = 0;    ///< of `{0}`, plus one
  std::set<std::string> names;
};

/// Nothing when the text is no format, mixes `{}` and `{0}`, or has escapes with braces.
std::optional<FormatFields> format_fields(std::string_view text) {
  FormatFields fields;
  if (text.find("\\N{") != std::string_view::npos) return std::nullopt;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    bool doubled = at + 1 < text.size() && text[at + 1] == c;
    if (depth == 0 && (c == '{' || c == '}') && doubled) {
      ++at;
    } else if (c == '{') {
      ++depth;
      std::size_t end = at + 1;
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
        ++end;
      if (end == text.size() || std::string_view(".[!:}").find(text[end]) == std::string_view::npos)
        return std::nullopt;
      std::string name(text.substr(at + 1, end - at - 1));
      if (name.empty()) {
        ++fields.automatic;
      } else if (std::all_of(name.begin(), name.end(),
                             [](char d) { return d >= '0' && d <= '9'; })) {
        if (name.size() > 3) return std::nullopt;
        fields.highest = std::max<std::size_t>(fields.highest, std::size_t(std::stoi(name)) + 1);
      } else {
        fields.names.insert(std::move(name));
      }
      at = end - 1;
    } else if (c == '}' && --depth < 0) {
      return std::nullopt;
    }
  }
  if (depth != 0 || (fields.automatic > 0 && fields.highest > 0)) return std::nullopt;
  return fields;
}

bool has_kind(const std::vector<Node>& nodes, std::string_view kind) {
  return std::any_of(nodes.begin(), nodes.end(), [&](Node n) { return n.kind() == kind; });
}

bool miscounted_log(Node call) {
  std::vector<Node> values = call.field("arguments").named_children();
  if (values.empty() || has_kind(values, "list_splat")) return false;
  auto literal = literal_of(values.front());
  std::erase_if(values, [](Node n) { return n.is({"keyword_argument", "dictionary_splat"}); });
  // Some loggers fill `{}`.
  if (!literal || values.size() < 2 || trim(literal->text).empty() ||
      literal->text.find('{') != std::string::npos)
    return false;
  auto wanted = percent_directives(literal->text);
  return wanted && *wanted != values.size() - 1;
}

bool miscounted_percent(Node operation) {
  auto literal = literal_of(operation.field("left"));
  Node right = operation.field("right");
  if (!literal || literal->formatted || right.kind() != "tuple") return false;
  std::vector<Node> values = right.named_children();
  auto wanted = percent_directives(literal->text);
  return wanted && !has_kind(values, "list_splat") && *wanted != values.size();
}

bool miscounted_format(Node call) {
  auto literal = literal_of(call.field("function").field("object"));
  if (!literal || literal->formatted) return false;
  std::vector<Node> values = call.field("arguments").named_children();
  auto fields = format_fields(literal->text);
  if (!fields || has_kind(values, "list_splat") || has_kind(values, "dictionary_splat") ||
      has_kind(values, "for_in_clause"))
    return false;
  std::vector<std::string> keywords = keywords_of(call);
  for (const std::string& name : fields->names) {
    if (!contains(keywords, name)) return true;
  }
  return values.size() - keywords.size() != std::max(fields->automatic, fields->highest);
}

// ---- repeated code ----

/// Whether code gives the same when it is asked again, as far as its calls tell.
bool repeatable(Node code) {
  static const std::set<std::string_view> pure = {
      "isinstance", "issubclass", "hasattr", "len",   "callable", "getattr",
      "startswith", "endswith",   "lower",   "upper", "type",     "str"};
  bool all = true;
  walk(code, [&](Node node) {
    if (node.kind() == "call" && !pure.contains(called_name(node))) all = false;
    if (node.is({"await", "yield", "named_expression"})) all = false;
    return all;
  });
  return all;
}

bool binds(Node target, std::string_view name) {
  bool found = false;
  walk(target, [&](Node node) {
    // `x.a` and `x[i]` change a part of x, and do not bind it.
    if (node.is({"attribute", "subscript", "call"})) return false;
    found |= node.kind() == "identifier" && node.text() == name;
    return !found;
  });
  return found;
}

}  // namespace

/// Conditions of an if statement that an earlier branch has asked already.
std::vector<Ingredient> repeated_conditions(const Match& match, const Arguments&) {
  std::vector<Ingredient> places;
  std::set<std::string> asked;
  std::vector<Node> conditions = {match.node.field("condition")};
  for (Node branch : match.node.fields("alternative")) {
    if (branch.kind() == "elif_clause") conditions.push_back(branch.field("condition"));
  }
  if (conditions.size() < 2) return places;
  for (Node condition : conditions) {
    if (!asked.insert(squeezed(condition.text())).second && repeatable(condition))
      places.push_back(place(condition));
  }
  return places;
}

/// Keys of a dict (items of a set) that stand in it before.
std::vector<Ingredient> repeated_keys(const Match& match, const Arguments&) {
  std::vector<Ingredient> places;
  std::set<std::string> known;
  for (Node item : match.node.named_children()) {
    if (item.is({"dictionary_splat", "list_splat"})) known.clear();  // overriding it is the point
    Node key = item.kind() == "pair" ? item.field("key") : item;
    bool fixed = key.is({"integer", "float", "true", "false", "none", "identifier", "attribute"}) ||
                 (key.kind() == "string" && literal_of(key) && !literal_of(key)->formatted);
    if (!fixed) continue;
    std::string text(key.text());
    if (key.kind() == "string") text = "\"" + literal_of(key)->text;
    if (!known.insert(std::move(text)).second) places.push_back(place(key));
  }
  return places;
}

/// The return statements in a node, nested functions left out.
std::vector<Ingredient> returns_within(const Match& match, const Arguments& arguments) {
  std::vector<Ingredient> places;
  walk(anchor(match, arguments.one("of", "match")), [&](Node node) {
    if (node.kind() == "return_statement") places.push_back(place(node));
    return !node.is({"function_definition", "class_definition", "lambda"});
  });
  return places;
}

/// The first statement of a block behind one that leaves it.
std::vector<Ingredient> unreachable_statements(const Match& match, const Arguments&) {
  Node first;
  bool left = false;
  for (Node statement : match.node.named_children()) {
    if (left) {
      // A yield that is never reached makes the function a generator.
      bool yields = false;
      walk(statement, [&](Node node) {
        yields |= node.kind() == "yield";
        return !yields;
      });
      bool nothing = statement.kind() == "pass_statement" ||
                     (statement.kind() == "expression_statement" &&
                      statement.named_child(0).is({"string", "ellipsis"}));
      if (yields) return {};
      if (!first && !nothing) first = statement;
    }
    left |= statement.is(
        {"return_statement", "raise_statement", "continue_statement", "break_statement"});
  }
  return first ? std::vector<Ingredient>{place(first)} : std::vector<Ingredient>{};
}

/// Whether all that the function (or module) of the match binds the name to is of these kinds, and
/// it binds it.
Truth bound_only_to(const Match& match, const Arguments& arguments) {
  std::string name = text_of(match, arguments, "hole");
  const auto& kinds = arguments.all("kinds");
  Node function = enclosing_function(match.node);
  std::size_t good = 0, bad = 0;
  walk(function ? function : match.file.root(), [&](Node node) {
    if (node.kind() == "assignment" && node.field("left").text() == name) {
      Node value = node.field("right");
      bool made = contains(kinds, value.kind()) ||
                  (value.kind() == "call" && contains(kinds, value.field("function").text()));
      ++(made ? good : bad);
    } else if (node.is({"assignment", "for_statement", "for_in_clause"})) {
      bad += binds(node.field("left"), name);
    } else if (node.is({"parameters", "lambda_parameters", "as_pattern_target", "global_statement",
                        "nonlocal_statement", "import_statement", "import_from_statement"})) {
      bad += binds(node, name);
    } else if (node.kind() == "named_expression") {
      bad += node.field("name").text() == name;
    }
    return bad == 0;
  });
  return truth(good > 0 && bad == 0);
}

/// Whether a text with placeholders is given another number of values than it has placeholders.
Truth miscounted(const Match& match, const Arguments& arguments) {
  std::string style = arguments.one("style");
  return truth(style == "log"       ? miscounted_log(match.node)
               : style == "percent" ? miscounted_percent(match.node)
                                    : miscounted_format(match.node));
}

/// Whether code takes an attribute or item of the expression, or calls it.
Truth parts_used(const Match& match, const Arguments& arguments) {
  std::string expression = text_of(match, arguments, "hole");
  bool used = false;
  walk(anchor(match, arguments.one("in", "match")), [&](Node node) {
    Node whole = node.kind() == "attribute"   ? node.field("object")
                 : node.kind() == "subscript" ? node.field("value")
                 : node.kind() == "call"      ? node.field("function")
                                              : Node();
    used |= whole && whole.text() == expression;
    return !used && node.kind() != "lambda";
  });
  return truth(used);
}

}  // namespace suture
