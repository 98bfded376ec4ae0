#include "repair/propose/snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "repair/base/text.h"

namespace suture {
namespace {

/// U+00B5, a letter to both grammars and to no programmer.
constexpr std::string_view kMark = "\xC2\xB5";
constexpr std::string_view kSequence = "$$";

bool name_byte(char c) {
  return (std::isupper(static_cast<unsigned char>(c)) != 0) ||
         (std::isdigit(static_cast<unsigned char>(c)) != 0) || c == '_';
}

/// Calls `text` for plain stretches and `variable` for metavariables (dollars counted).
template <class OnText, class OnVariable>
void scan(std::string_view code, OnText text, OnVariable variable) {
  std::size_t plain = 0;
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] != '$') {
      ++at;
      continue;
    }
    std::size_t name = at;
    while (name < code.size() && code[name] == '$') ++name;
    std::size_t end = name;
    while (end < code.size() && name_byte(code[end])) ++end;
    if (end == name) {
      at = name;
      continue;
    }
    text(code.substr(plain, at - plain));
    variable(code.substr(name, end - name), name - at >= 3);
    plain = at = end;
  }
  text(code.substr(plain));
}

std::vector<Node> relevant_children(Node node) {
  std::vector<Node> children = node.children();
  std::erase_if(children, [](Node child) { return child.kind() == "comment"; });
  // A comma before a closing bracket says nothing.
  if (children.size() >= 2 && children[children.size() - 2].kind() == "," &&
      !children.back().named()) {
    children.erase(children.end() - 2);
  }
  return children;
}

bool is_sequence(Node pattern) {
  Node inner = pattern;
  if (inner.kind() == "expression_statement" && inner.named_child_count() == 1)
    inner = inner.named_child(0);
  return inner.kind() == "identifier" && decode_metavariable(inner.text()).starts_with(kSequence);
}

bool same_code(std::string_view a, std::string_view b) {
  auto squeeze = [](std::string_view text) {
    std::string kept;
    for (char c : text) {
      if (std::isspace(static_cast<unsigned char>(c)) == 0) kept += c;
    }
    return kept;
  };
  return a == b || squeeze(a) == squeeze(b);
}

bool bind(const std::string& name, Binding binding, Bindings& bindings) {
  if (name == "_") return true;
  auto [at, added] = bindings.try_emplace(name, binding);
  if (added) return true;
  if (!same_code(at->second.text, binding.text)) return false;
  if (!at->second.node)
    at->second.node = binding.node;  // a name from the message has found its place
  return true;
}

bool match_node(Node pattern, Node target, Bindings& bindings);

bool match_children(const std::vector<Node>& patterns, std::size_t p,
                    const std::vector<Node>& targets, std::size_t t, Bindings& bindings) {
  if (p == patterns.size()) return t == targets.size();
  if (is_sequence(patterns[p])) {
    std::string name =
        decode_metavariable(patterns[p].kind() == "identifier" ? patterns[p].text()
                                                               : patterns[p].named_child(0).text())
            .substr(kSequence.size());
    // Shortest first; a separator that the pattern has beside an empty sequence is skipped with it.
    for (std::size_t end = t; end <= targets.size(); ++end) {
      Bindings trial = bindings;
      std::string text;
      if (end > t) {
        Range range{targets[t].range().start, targets[end - 1].range().end};
        text = std::string(targets[t].file()->text().substr(range.start, range.size()));
        if (targets[end - 1].kind() == ",") continue;
      }
      if (!bind(name, {text, {}}, trial)) continue;
      std::size_t next = p + 1;
      bool matched = match_children(patterns, next, targets, end, trial);
      if (!matched && end == t && next < patterns.size() && patterns[next].kind() == ",") {
        matched = match_children(patterns, next + 1, targets, end, trial);
      }
      if (matched) {
        bindings = std::move(trial);
        return true;
      }
    }
    return false;
  }
  // "f(x, $$$REST)" also matches "f(x)".
  bool separator_before_sequence =
      patterns[p].kind() == "," && p + 1 < patterns.size() && is_sequence(patterns[p + 1]);
  if (t < targets.size()) {
    Bindings trial = bindings;
    if (match_node(patterns[p], targets[t], trial) &&
        match_children(patterns, p + 1, targets, t + 1, trial)) {
      bindings = std::move(trial);
      return true;
    }
  }
  if (separator_before_sequence) {
    Bindings trial = bindings;
    std::string name = decode_metavariable(patterns[p + 1].text());
    if (!name.empty() && bind(name.substr(kSequence.size()), {"", {}}, trial) &&
        match_children(patterns, p + 2, targets, t, trial)) {
      bindings = std::move(trial);
      return true;
    }
  }
  return false;
}

bool match_node(Node pattern, Node target, Bindings& bindings) {
  if (pattern.kind() == "identifier") {
    std::string name = decode_metavariable(pattern.text());
    if (!name.empty())
      return target.named() && bind(name, {std::string(target.text()), target}, bindings);
  }
  // A statement that is one metavariable stands for any one statement.
  if (pattern.kind() == "expression_statement" && pattern.named_child_count() == 1 &&
      pattern.named_child(0).kind() == "identifier") {
    std::string name = decode_metavariable(pattern.named_child(0).text());
    if (!name.empty())
      return target.named() && bind(name, {std::string(target.text()), target}, bindings);
  }
  if (pattern.kind() != target.kind()) return false;
  if (pattern.child_count() == 0 || pattern.kind() == "string") {
    return same_code(pattern.text(), target.text());
  }
  return match_children(relevant_children(pattern), 0, relevant_children(target), 0, bindings);
}

/// The node that the snippet means: an expression when it is one, else the statement.
Node meaning_of(Node root) {
  if (root.named_child_count() != 1) return {};
  Node node = root.named_child(0);
  if (node.kind() == "expression_statement" && node.named_child_count() == 1)
    node = node.named_child(0);
  return node;
}

}  // namespace

std::string encode_metavariables(std::string_view code) {
  std::string encoded;
  scan(
      code, [&](std::string_view text) { encoded += text; },
      [&](std::string_view name, bool sequence) {
        encoded += kMark;
        if (sequence) encoded += kMark;
        encoded += name;
      });
  return encoded;
}

std::string decode_metavariables(std::string_view encoded) {
  std::string two = std::string(kMark) + std::string(kMark);
  return replace_all(replace_all(std::string(encoded), two, "$$$"), kMark, "$");
}

std::string decode_metavariable(std::string_view identifier) {
  if (!identifier.starts_with(kMark)) return {};
  identifier.remove_prefix(kMark.size());
  if (!identifier.starts_with(kMark)) return std::string(identifier);
  identifier.remove_prefix(kMark.size());
  return std::string(kSequence) + std::string(identifier);
}

std::vector<std::string> metavariables_of(std::string_view text) {
  std::vector<std::string> names;
  scan(
      text, [](std::string_view) {},
      [&](std::string_view name, bool) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
      });
  return names;
}

Result<Snippet> Snippet::compile(std::string_view code, Language language) {
  TRY(auto file, SourceFile::parse("snippet", encode_metavariables(trim(code)), language));
  if (file->error_count() > 0) {
    return fail(
        ErrorKind::kBadInput,
        fmt::format("the snippet `{}` is not valid {}", code, to_string(language)),
        "write one expression or one statement; $NAME stands for one node, $$$NAME for several");
  }
  Snippet snippet;
  snippet.file_ = std::move(file);
  snippet.root_ = meaning_of(snippet.file_->root());
  if (!snippet.root_) {
    return fail(ErrorKind::kBadInput,
                fmt::format("the snippet `{}` is not one expression or statement", code));
  }
  if (snippet.root_.kind() == "identifier" && !decode_metavariable(snippet.root_.text()).empty()) {
    return fail(ErrorKind::kBadInput, fmt::format("the snippet `{}` would match everything", code),
                "use match.kind with the node kinds that are meant");
  }
  snippet.variables_ = metavariables_of(code);
  snippet.add_probes(snippet.root_, {});
  return snippet;
}

void Snippet::add_probes(Node node, std::vector<Probe::Step> way) {
  if (node.kind() == "identifier" && !decode_metavariable(node.text()).empty()) return;
  if (node.kind() == "string") return;
  if (node.child_count() == 0) {
    // Brackets and the like are there in every node of the kind.
    bool telling = node.named() || node.text().find_first_of(".,:()[]{}") == std::string_view::npos;
    if (telling && !way.empty())
      probes_.push_back({way, node.symbol(), node.named() ? std::string(node.text()) : ""});
    return;
  }
  std::vector<Node> children = node.children();
  // Where any number of nodes may stand, none has a fixed place.
  if (std::any_of(children.begin(), children.end(), is_sequence)) return;
  way.push_back({node.symbol(), std::uint32_t(children.size()), 0});
  for (std::uint32_t i = 0; i < children.size(); ++i) {
    way.back().next = i;
    add_probes(children[i], way);
  }
}

/// Whether the node certainly does not match. Comments and trailing commas shift children: then
/// nothing is certain.
bool Snippet::refutes(const Probe& probe, Node node) {
  TSNode at = node.raw();
  for (const Probe::Step& step : probe.way) {
    if (ts_node_symbol(at) != step.symbol) return true;
    if (ts_node_child_count(at) != step.children) return false;
    at = ts_node_child(at, step.next);
  }
  if (ts_node_is_extra(at)) return false;
  if (ts_node_symbol(at) != probe.symbol) return true;
  return !probe.text.empty() && Node(at, node.file()).text() != probe.text;
}

bool Snippet::match(Node node, Bindings& bindings) const {
  for (const Probe& probe : probes_) {
    if (refutes(probe, node)) return false;
  }
  Bindings trial = bindings;
  if (!match_node(root_, node, trial)) return false;
  bindings = std::move(trial);
  return true;
}

}  // namespace suture
