#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/propose/context.h"

namespace suture {

/// The function_definition (or class) node of a definition; null when its file cannot be read.
Node definition_node(SourceTree& tree, const Definition& definition);

/// The function that a call calls, as far as the tree tells: methods of self's class and its bases,
/// imported and local names, a class's __init__, else the only function of that name in the tree.
std::optional<Definition> callee_of(const Match& match, Node call);

/// A function or class by the name that a message gives ("f", "Class.f", "Class.__init__"); among
/// several, the one whose file is most suspicious.
std::optional<Definition> definition_named(const Match& match, std::string_view qualname);

/// Parameters that the called function accepts, from the tree, else from the installed package.
struct CalleeParameters {
  std::vector<Parameter> parameters;  ///< self left out
  bool any_keyword = false;           ///< it takes **kwargs
};
std::optional<CalleeParameters> callee_parameters(const Match& match, Node call);

/// The innermost of the nodes that span a line and are wanted; null when there is none.
Node innermost_on_line(const SourceFile& file, int line, const std::function<bool(Node)>& wanted);
/// Whether the name occurs as an identifier below a node, at a byte or behind it.
bool occurs_from(Node scope, std::uint32_t byte, std::string_view name);

/// The call itself or the nearest call around it; null when there is none.
Node call_at(Node node);
/// The name that a call calls: `f` of `f(x)`, `a.b.f` gives "f".
std::string_view called_name(Node call);
/// The keyword names given by a call.
std::vector<std::string> keywords_of(Node call);
/// The positional arguments of a call.
std::vector<Node> positional_arguments(Node call);

/// The class_definition whose method holds the node, as a Definition; nothing outside classes.
std::optional<Definition> class_around(const Match& match);

/// The condition that decides about a node: of the `if`, `elif`, `while`, ternary, filter or assert
/// whose condition or body holds it; null when there is none.
Node condition_of(Node node);

/// Names with members for an expression: from the run, else from the tree's classes and the
/// installed module that the name stands for.
std::vector<std::string> members_of_expression(const Match& match, std::string_view expression);

}  // namespace suture
