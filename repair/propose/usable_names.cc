#include "repair/propose/usable_names.h"

#include "repair/syntax/scope.h"

namespace suture {

std::set<std::string> usable_names(Node at) {
  std::set<std::string> names = {
      "self", "cls",   "super", "None",  "True",   "False",      "len",     "list",    "dict",
      "set",  "tuple", "int",   "float", "str",    "bool",       "print",   "range",   "enumerate",
      "zip",  "min",   "max",   "sum",   "sorted", "isinstance", "getattr", "setattr", "hasattr",
      "type", "id",    "next",  "iter",  "any",    "all",        "map"};
  for (const ScopeName& name : names_in_scope(at)) {
    if (name.bound_before || name.origin == ScopeName::Origin::kModule ||
        name.origin == ScopeName::Origin::kImport)
      names.insert(name.text);
  }
  return names;
}

bool is_usable(Node code, const std::set<std::string>& names) {
  bool usable = true;
  std::set<std::string> bound;
  walk(code, [&](Node node) {
    if (node.kind() != "identifier") return usable;
    Node parent = node.parent();
    bool label = (parent.kind() == "attribute" && parent.field("attribute") == node) ||
                 (parent.kind() == "keyword_argument" && parent.field("name") == node);
    bool target = (parent.kind() == "assignment" && parent.field("left") == node) ||
                  parent.is({"for_in_clause", "pattern_list", "lambda_parameters"});
    if (target)
      bound.insert(std::string(node.text()));
    else if (!label && !names.contains(std::string(node.text())) &&
             !bound.contains(std::string(node.text())))
      usable = false;
    return usable;
  });
  return usable;
}

}  // namespace suture
