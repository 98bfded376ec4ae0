#include "repair/propose/lookups.h"

#include <algorithm>

#include "repair/base/text.h"

namespace suture {
namespace {

/// The definition's own node inside a decorated one.
Node undecorated(Node node) {
  if (node.kind() == "decorated_definition") return node.field("definition");
  return node;
}

/// A method of a class or its bases; of the bases only for `super()`.
std::optional<Definition> method_of(SourceTree& tree, const Definition& cls, std::string_view name,
                                    bool inherited = false) {
  for (const Definition& base : tree.class_and_bases(cls)) {
    if (inherited && base.file == cls.file && base.range == cls.range) continue;
    std::string wanted = base.name + "." + std::string(name);
    for (const Definition& member : tree.outline(base.file)) {
      bool inside = member.range.start >= base.range.start && member.range.end <= base.range.end;
      if (inside && member.kind == Definition::Kind::kFunction && member.name == name &&
          (member.qualname == wanted || member.qualname.ends_with("." + wanted))) {
        return member;
      }
    }
  }
  return std::nullopt;
}

std::optional<Definition> constructor_or_self(SourceTree& tree,
                                              std::optional<Definition> definition) {
  if (!definition || definition->kind != Definition::Kind::kClass) return definition;
  return method_of(tree, *definition, "__init__");
}

/// Where the file stands in the order of suspicion; large for files without a location.
std::size_t file_rank(const Match& match, const std::string& file) {
  auto files = match.input.suspicion.files();
  return std::size_t(std::find(files.begin(), files.end(), file) - files.begin());
}

std::vector<Parameter> as_parameters(const std::vector<ParameterSyntax>& syntax) {
  std::vector<Parameter> parameters;
  for (const ParameterSyntax& p : syntax) {
    Parameter parameter;
    parameter.name = p.name;
    parameter.has_default = p.has_default;
    parameter.default_text = p.default_text;
    parameter.kind = p.prefix == "*"    ? Parameter::Kind::kVarPositional
                     : p.prefix == "**" ? Parameter::Kind::kVarKeyword
                     : p.keyword_only   ? Parameter::Kind::kKeywordOnly
                                        : Parameter::Kind::kPositionalOrKeyword;
    parameters.push_back(parameter);
  }
  return parameters;
}

}  // namespace

Node definition_node(SourceTree& tree, const Definition& definition) {
  const SourceFile* file = tree.source(definition.file);
  return file == nullptr ? Node() : undecorated(file->node_at(definition.range));
}

Node innermost_on_line(const SourceFile& file, int line, const std::function<bool(Node)>& wanted) {
  Node found;
  walk(file.root(), [&](Node node) {
    bool covers = node.line() <= line && line <= node.end_line();
    if (covers && wanted(node)) found = node;
    return covers;
  });
  return found;
}

bool occurs_from(Node scope, std::uint32_t byte, std::string_view name) {
  bool found = false;
  walk(scope, [&](Node node) {
    found |= node.kind() == "identifier" && node.range().start >= byte && node.text() == name;
    return !found && node.range().end > byte;
  });
  return found;
}

Node call_at(Node node) {
  if (node.kind() == "call") return node;
  return node.ancestor({"call"});
}

std::string_view called_name(Node call) {
  Node function = call.field("function");
  if (function.kind() == "attribute") return function.field("attribute").text();
  return function.kind() == "identifier" ? function.text() : std::string_view();
}

std::vector<std::string> keywords_of(Node call) {
  std::vector<std::string> names;
  for (Node argument : call.field("arguments").named_children()) {
    if (argument.kind() == "keyword_argument") names.emplace_back(argument.field("name").text());
  }
  return names;
}

std::vector<Node> positional_arguments(Node call) {
  std::vector<Node> arguments;
  for (Node argument : call.field("arguments").named_children()) {
    if (!argument.is({"keyword_argument", "dictionary_splat", "list_splat"}))
      arguments.push_back(argument);
  }
  return arguments;
}

std::optional<Definition> class_around(const Match& match) {
  Node cls = enclosing_class(match.node);
  if (!cls) return std::nullopt;
  std::string name = qualified_name(cls);
  for (const Definition& definition : match.input.tree.outline(match.file.path())) {
    if (definition.kind == Definition::Kind::kClass && definition.qualname == name)
      return definition;
  }
  return std::nullopt;
}

std::optional<Definition> callee_of(const Match& match, Node call) {
  SourceTree& tree = match.input.tree;
  std::string name(called_name(call));
  if (name.empty()) return std::nullopt;
  Node function = call.field("function");
  if (function.kind() == "attribute") {
    std::string_view object = function.field("object").text();
    bool inherited = object.starts_with("super(");
    if (object == "self" || object == "cls" || inherited) {
      if (auto cls = class_around(match)) {
        if (auto method = method_of(tree, *cls, name, inherited)) return method;
      }
      if (inherited) return std::nullopt;  // of a base that the tree does not have
    }
    if (auto found = tree.resolve(match.file.path(), function.text()))
      return constructor_or_self(tree, found);
  } else if (auto found = tree.resolve(match.file.path(), name)) {
    return constructor_or_self(tree, found);
  }
  const std::vector<std::string>& files = tree.files_defining(name);
  if (files.size() != 1) return std::nullopt;
  std::vector<Definition> all;
  for (const Definition& definition : tree.outline(files.front())) {
    bool callable = definition.kind == Definition::Kind::kFunction ||
                    definition.kind == Definition::Kind::kClass;
    if (callable && definition.name == name) all.push_back(definition);
  }
  return all.size() == 1 ? constructor_or_self(tree, all.front()) : std::nullopt;
}

std::optional<Definition> definition_named(const Match& match, std::string_view qualname) {
  SourceTree& tree = match.input.tree;
  // "<locals>" parts of nested functions say nothing that the index knows.
  std::string name(qualname);
  if (auto at = name.rfind("<locals>."); at != std::string::npos) name = name.substr(at + 9);
  std::string last = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
  std::vector<Definition> found;
  for (const Definition& definition : tree.definitions(last)) {
    bool kind = definition.kind == Definition::Kind::kFunction ||
                definition.kind == Definition::Kind::kClass;
    if (kind && (definition.qualname == name || definition.qualname.ends_with("." + name) ||
                 last == name)) {
      found.push_back(definition);
    }
  }
  // A class without a constructor of its own: a base's may be meant.
  if (found.empty() && last == "__init__") {
    std::string cls = name.substr(0, name.size() - std::string_view(".__init__").size());
    for (const Definition& definition : tree.definitions(cls)) {
      if (definition.kind != Definition::Kind::kClass) continue;
      if (auto init = method_of(tree, definition, "__init__")) found.push_back(*init);
    }
  }
  if (found.empty()) return std::nullopt;
  std::stable_sort(found.begin(), found.end(), [&](const Definition& a, const Definition& b) {
    return file_rank(match, a.file) < file_rank(match, b.file);
  });
  return constructor_or_self(tree, found.front());
}

std::optional<CalleeParameters> callee_parameters(const Match& match, Node call) {
  CalleeParameters result;
  if (auto definition = callee_of(match, call)) {
    result.parameters = as_parameters(definition->parameters);
  } else {
    // An installed callable: what the run saw under that name, else the name as imported.
    const Value* value = observed(match, call.field("function").text());
    if (value == nullptr || value->callable.empty()) return std::nullopt;
    auto signature = match.input.installed.signature(value->callable);
    if (!signature) return std::nullopt;
    result.parameters = *signature;
  }
  if (!result.parameters.empty() &&
      (result.parameters.front().name == "self" || result.parameters.front().name == "cls")) {
    result.parameters.erase(result.parameters.begin());
  }
  result.any_keyword =
      std::any_of(result.parameters.begin(), result.parameters.end(),
                  [](const Parameter& p) { return p.kind == Parameter::Kind::kVarKeyword; });
  return result;
}

Node condition_of(Node node) {
  for (Node child = node, parent = node.parent(); parent;
       child = parent, parent = parent.parent()) {
    std::string_view kind = parent.kind();
    if (kind == "if_statement" || kind == "elif_clause" || kind == "while_statement") {
      // The `else` of an `if` is not decided by the condition alone, but by its negation.
      if (child.kind() != "else_clause") return parent.field("condition");
    } else if (kind == "conditional_expression") {
      return parent.named_child(1);
    } else if (parent.is({"list_comprehension", "set_comprehension", "dictionary_comprehension",
                          "generator_expression"})) {
      // The element, or a filter itself; what is iterated over comes before any filter.
      if (child.kind() == "for_in_clause") continue;
      if (child.kind() == "if_clause") return child.named_child(0);
      for (Node clause : parent.named_children()) {
        if (clause.kind() == "if_clause") return clause.named_child(0);
      }
    } else if (kind == "assert_statement") {
      return parent.named_child(0);
    } else if (kind == "function_definition" || kind == "class_definition") {
      return {};
    }
  }
  return {};
}

std::vector<std::string> members_of_expression(const Match& match, std::string_view expression) {
  if (const Value* value = observed(match, expression);
      value != nullptr && !value->members.empty()) {
    return value->members;
  }
  std::vector<std::string> names;
  if (expression == "self" || expression == "cls") {
    if (auto cls = class_around(match)) {
      for (const Definition& base : match.input.tree.class_and_bases(*cls)) {
        for (std::string& name : match.input.tree.members_of(base))
          names.push_back(std::move(name));
      }
    }
    return names;
  }
  std::string first = split(expression, '.').front();
  if (auto module = match.input.tree.file_of_module(expression)) {
    for (const Definition& definition : match.input.tree.outline(*module))
      names.push_back(definition.name);
    return names;
  }
  for (const Definition& definition : match.input.tree.outline(match.file.path())) {
    if (definition.kind != Definition::Kind::kImport || definition.name != first) continue;
    std::string module =
        definition.source_module.empty() ? definition.source_name : definition.source_module;
    if (!definition.source_module.empty() && !definition.source_name.empty())
      module += "." + definition.source_name;
    if (expression.size() > first.size()) module += std::string(expression.substr(first.size()));
    if (!module.empty() && module.front() != '.') return match.input.installed.names_of(module);
  }
  return names;
}

}  // namespace suture
