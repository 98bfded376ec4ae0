#include "repair/syntax/list_edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "repair/base/text.h"
#include "repair/syntax/layout.h"
#include "repair/syntax/source_tree.h"

// Edits of argument and parameter lists: see edit.h.

namespace suture {
namespace {

/// The comma behind an item; null when there is none.
Node comma_after(Node item) {
  Node next(ts_node_next_sibling(item.raw()), item.file());
  while (next.is_trivia()) next = Node(ts_node_next_sibling(next.raw()), item.file());
  return next.kind() == "," ? next : Node();
}

Node comma_before(Node item) {
  Node previous(ts_node_prev_sibling(item.raw()), item.file());
  while (previous.is_trivia()) previous = Node(ts_node_prev_sibling(previous.raw()), item.file());
  return previous.kind() == "," ? previous : Node();
}

/// Whether an item begins a line of its own, as the next one then should. Without brackets around
/// the list a line end would end it.
bool on_own_line(Node list, Node item) {
  std::string_view last = list.child(list.child_count() - 1).kind();
  bool bracketed = last == ")" || last == "]" || last == "}";
  return bracketed && first_on_line(*item.file(), item.range().start);
}

Edit append_item(Node list, Node last, std::string_view item) {
  const SourceFile& file = *last.file();
  Node comma = comma_after(last);
  std::uint32_t end = comma ? comma.range().end : last.range().end;
  std::string separator = " ";
  if (on_own_line(list, last)) {
    separator = std::string(file.newline()) + std::string(file.indentation_at(last.range().start));
    std::uint32_t line_end = file.line_content_end(file.line_of(end));
    std::string_view rest = file.text().substr(end, line_end - end);
    bool comment = rest_is_blank(file, end) && !trim(rest).empty();
    if (comment && comma) end = line_end;  // the comment stays with its item
    if (comment && !comma) return {{end, line_end}, fmt::format(",{}{}{}", rest, separator, item)};
  }
  return insert_at(
      end, comma ? fmt::format("{}{},", separator, item) : fmt::format(",{}{}", separator, item));
}

/// The first item of one of the kinds, or their number.
std::size_t index_of_first(const std::vector<Node>& items,
                           std::initializer_list<std::string_view> kinds) {
  auto found = std::find_if(items.begin(), items.end(), [&](Node item) { return item.is(kinds); });
  return static_cast<std::size_t>(found - items.begin());
}

Node argument_list_of(Node call) {
  if (call.is({"argument_list"})) return call;
  return call.field(call.is({"class_definition"}) ? "superclasses" : "arguments");
}

Edit add_argument_before(Node call, std::initializer_list<std::string_view> kinds,
                         std::string_view argument) {
  Node list = argument_list_of(call);
  if (!list) return {{call.range().end, call.range().end}, ""};
  if (list.is({"generator_expression"})) {
    // `f(x for x in y)`: the list's brackets are the generator's, which now needs its own.
    return {list.range(), fmt::format("({}, {})", list.text(), argument)};
  }
  std::vector<Node> arguments = list.named_children();
  return insert_item(list, arguments, index_of_first(arguments, kinds), argument);
}

}  // namespace

Edit insert_item(Node list, const std::vector<Node>& items, std::size_t index,
                 std::string_view item) {
  const SourceFile& file = *list.file();
  if (items.empty()) {
    bool comments = list.named_child_count() > 0;
    return insert_at(comments ? list.range().end - 1 : list.range().start + 1, std::string(item));
  }
  if (index >= items.size()) return append_item(list, items.back(), item);
  std::uint32_t start = items[index].range().start;
  if (!on_own_line(list, items[index])) return insert_at(start, fmt::format("{}, ", item));
  return insert_at(start, fmt::format("{},{}{}", item, file.newline(), file.indentation_at(start)));
}

Edit add_positional_argument(Node call, std::string_view argument) {
  return add_argument_before(call, {"keyword_argument", "dictionary_splat"}, argument);
}

Edit add_keyword_argument(Node call, std::string_view argument) {
  return add_argument_before(call, {"dictionary_splat"}, argument);
}

Edit remove_argument(Node argument) {
  const SourceFile& file = *argument.file();
  Range range = argument.range();
  if (argument.is({"generator_expression"}) && argument.parent().field("arguments") == argument) {
    return {range, "()"};
  }
  Node comma = comma_after(argument);
  Node before = comma_before(argument);
  std::uint32_t end = comma ? comma.range().end : range.end;
  bool may_end_with_comma = file.language() == Language::kPython;
  if (first_on_line(file, range.start) && rest_is_blank(file, end) &&
      (comma || !before || may_end_with_comma)) {
    std::uint32_t start = file.line_start(file.line_of(range.start));
    return {{start, file.line_start(file.line_of(end) + 1)}, ""};
  }
  Node next = argument.next_named_sibling();
  if (comma && next) return {{range.start, next.range().start}, ""};
  if (before) return {{before.range().start, range.end}, ""};
  return {{range.start, end}, ""};
}

namespace {

/// Splits "*args: int = 3" as far as its place in a list depends on it.
ParameterSyntax parameter_from(std::string_view text) {
  auto file = SourceFile::parse("", fmt::format("def f({}): pass", text), Language::kPython);
  if (!file || (*file)->error_count() > 0) return {};
  std::vector<ParameterSyntax> parameters = parameters_of((*file)->root().named_child(0));
  return parameters.size() == 1 ? parameters.front() : ParameterSyntax{};
}

bool takes_all(Node parameter, std::string_view splat_kind) {
  return parameter.is({splat_kind}) || parameter.named_child(0).is({splat_kind});
}

}  // namespace

std::optional<Edit> add_parameter(Node function, std::string_view text) {
  // Named: the keyword `lambda` is a node of that kind, too.
  if (!function.named() || !function.is({"function_definition", "lambda"}) ||
      function.file()->language() != Language::kPython) {
    return std::nullopt;
  }
  ParameterSyntax added = parameter_from(text);
  bool fits = !added.name.empty() && (added.annotation.empty() || !function.is({"lambda"}));
  if (!fits) return std::nullopt;
  for (const ParameterSyntax& there : parameters_of(function)) {
    bool same_star = !added.prefix.empty() && there.prefix == added.prefix;
    if (there.name == added.name || same_star) return std::nullopt;
  }
  Node list = function.field("parameters");
  if (!list) {
    std::uint32_t behind_lambda = function.child(0).range().end;
    return insert_at(behind_lambda, fmt::format(" {}", text));
  }
  std::vector<Node> items = list.named_children();
  auto first = [&](auto matches) {
    return static_cast<std::size_t>(std::find_if(items.begin(), items.end(), matches) -
                                    items.begin());
  };
  std::size_t star = index_of_first(items, {"keyword_separator"});
  std::size_t args = first([](Node item) { return takes_all(item, "list_splat_pattern"); });
  std::size_t kwargs = first([](Node item) { return takes_all(item, "dictionary_splat_pattern"); });
  std::size_t defaults = index_of_first(items, {"default_parameter", "typed_default_parameter"});
  if (added.prefix == "**") return insert_item(list, items, items.size(), text);
  if (added.prefix == "*") {
    if (star < items.size()) return Edit{items[star].range(), std::string(text)};
    return insert_item(list, items, kwargs, text);
  }
  std::size_t index =
      added.has_default ? std::min(star, kwargs) : std::min({star, args, kwargs, defaults});
  return insert_item(list, items, index, text);
}

}  // namespace suture
