#include "repair/propose/counterparts.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "repair/propose/basket.h"
#include "repair/syntax/source_file.h"

namespace suture {

std::vector<Ingredient> carried_flags(const Match& match, const Arguments&) {
  Node function = match.node;
  if (function.kind() != "function_definition") return {};
  std::set<std::string> made;                          // locals that hold what a call gave
  std::map<std::string, std::set<std::string>> whose;  // part -> objects
  walk(function.field("body"), [&](Node node) {
    if (node.kind() == "assignment" && node.field("left").kind() == "identifier" &&
        node.field("right").kind() == "call")
      made.insert(std::string(node.field("left").text()));
    if (node.kind() == "attribute" && node.field("object").kind() == "identifier")
      whose[std::string(node.field("attribute").text())].insert(
          std::string(node.field("object").text()));
    return true;
  });
  Basket basket;
  for (const char* part : {"weight", "bias", "data", "grad"}) {
    for (const std::string& fresh : whose[part]) {
      for (const std::string& old : whose[part]) {
        if (fresh == old || !made.contains(fresh) || made.contains(old) || old == "self") continue;
        bool whole = std::string_view(part) == "data" || std::string_view(part) == "grad";
        std::string dot = whole ? "" : std::string(".") + part;
        basket.add(fmt::format("{0}{1}.requires_grad_({2}{1}.requires_grad)", fresh, dot, old),
                   std::string_view(part) == "weight" ? 1 : 0.7);
      }
    }
  }
  return basket.take();
}

}  // namespace suture
