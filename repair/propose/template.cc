#include "repair/propose/template.h"

#include <algorithm>
#include <vector>

#include "repair/base/text.h"
#include "repair/propose/precedence.h"
#include "repair/propose/snippet.h"
#include "repair/syntax/edit.h"

namespace suture {
namespace {

struct TemplateHole {
  Node node;
  std::string name;
  bool sequence = false;
};

/// The holes of encoded code in document order.
std::vector<TemplateHole> holes_of(Node root) {
  std::vector<TemplateHole> holes;
  walk(root, [&](Node node) {
    if (node.child_count() == 0) {
      std::string name = decode_metavariable(node.text());
      bool sequence = name.starts_with("$$");
      if (!name.empty()) holes.push_back({node, sequence ? name.substr(2) : name, sequence});
    }
    return true;
  });
  return holes;
}

/// An empty sequence goes with the comma that separates it from its neighbour.
Range with_comma(Node hole) {
  Node next(ts_node_next_sibling(hole.raw()), hole.file()),
      before(ts_node_prev_sibling(hole.raw()), hole.file());
  if (next.kind() == "," && hole.next_named_sibling())
    return {hole.range().start, hole.next_named_sibling().range().start};
  if (before.kind() == ",") return {before.range().start, hole.range().end};
  return hole.range();
}

/// Text substitution for templates that do not parse on their own (headers such as `if $X:`).
std::string fill_plain(std::string_view text, const Bindings& bindings) {
  std::string filled(text);
  // Longest names first, so that $A does not eat the start of $AB.
  std::vector<std::string> names = metavariables_of(text);
  std::sort(names.begin(), names.end(), [](auto& a, auto& b) { return a.size() > b.size(); });
  for (const std::string& name : names) {
    auto at = bindings.find(name);
    if (at == bindings.end()) continue;
    filled = replace_all(std::move(filled), "$$$" + name, at->second.text);
    filled = replace_all(std::move(filled), "$" + name, at->second.text);
  }
  return filled;
}

/// Holes inside strings and comments of a template, and names that nothing binds, are not nodes of
/// their own. Only the template's own text is looked at: a filled-in value may hold `$` and U+00B5.
void fill_texts(Node root, const Bindings& bindings, std::vector<Edit>& edits) {
  walk(root, [&](Node node) {
    std::string name = decode_metavariable(node.text());
    name = name.substr(name.starts_with("$$") ? 2 : 0);
    bool whole =
        node.child_count() == 0 || node.kind() == "string_content";  // escapes are children
    if (!whole || bindings.contains(name)) return true;
    std::string own = decode_metavariables(node.text());
    if (own != node.text()) edits.push_back({node.range(), fill_plain(own, bindings)});
    return false;
  });
}

}  // namespace

std::string fill_template(std::string_view text, const Bindings& bindings, Language language) {
  // A header (`if $X:`) becomes whole by an empty body, which is cut off again.
  std::string code(text);
  bool header = language == Language::kPython && trim(code).ends_with(':');
  if (header) code += "\n    pass";
  auto parsed = SourceFile::parse("template", encode_metavariables(code), language);
  if (!parsed || (*parsed)->error_count() > 0) return fill_plain(text, bindings);
  const SourceFile& file = **parsed;
  std::vector<Edit> edits;
  for (auto& [node, name, sequence] : holes_of(file.root())) {
    auto at = bindings.find(name);
    if (at == bindings.end()) continue;
    if (sequence && at->second.text.empty()) {
      edits.push_back({with_comma(node), ""});
      continue;
    }
    std::string value = reindent(at->second.text, file.indentation_at(node.range().start));
    bool statement_place = node.parent().kind() == "expression_statement";
    edits.push_back({node.range(), statement_place || sequence ? value : fit_into(node, value)});
  }
  fill_texts(file.root(), bindings, edits);
  auto filled = apply_edits(file.text(), std::move(edits));
  if (!filled) return fill_plain(text, bindings);
  if (header) filled->resize(filled->size() - std::string_view("\n    pass").size());
  return *filled;
}

std::string fill_prose(std::string_view text, const Bindings& bindings) {
  Bindings shortened = bindings;
  for (auto& [name, binding] : shortened) {
    std::string_view line =
        split_lines(binding.text).empty() ? "" : split_lines(binding.text).front();
    bool cut = line.size() != binding.text.size() || line.size() > 60;
    binding.text = std::string(line.substr(0, 60)) + (cut ? "..." : "");
  }
  return fill_plain(text, shortened);
}

}  // namespace suture
