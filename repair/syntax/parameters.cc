#include "repair/syntax/source_tree.h"

namespace suture {
namespace {

/// Reads "*args", "**kwargs" or "name" into the parameter.
void read_name(Node node, ParameterSyntax& parameter) {
  if (node.is({"list_splat_pattern"})) parameter.prefix = "*";
  if (node.is({"dictionary_splat_pattern"})) parameter.prefix = "**";
  parameter.name = (parameter.prefix.empty() ? node : node.named_child(0)).text();
}

}  // namespace

std::vector<ParameterSyntax> parameters_of(Node function) {
  std::vector<ParameterSyntax> parameters;
  bool keyword_only = false;
  for (Node node : function.field("parameters").named_children()) {
    if (node.is({"keyword_separator"})) keyword_only = true;
    if (node.is({"keyword_separator", "positional_separator"})) continue;
    ParameterSyntax parameter;
    if (node.is({"typed_parameter"})) {
      read_name(node.named_child(0), parameter);
    } else if (node.is({"default_parameter", "typed_default_parameter"})) {
      read_name(node.field("name"), parameter);
      parameter.has_default = true;
      parameter.default_text = node.field("value").text();
    } else {
      read_name(node, parameter);
    }
    parameter.annotation = node.field("type").text();
    parameter.keyword_only = keyword_only && parameter.prefix.empty();
    keyword_only = keyword_only || parameter.prefix == "*";
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

}  // namespace suture
