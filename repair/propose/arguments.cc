#include "repair/propose/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "repair/base/text.h"

namespace suture {

std::string Arguments::one(std::string_view name, std::string_view otherwise) const {
  auto at = values.find(name);
  return at == values.end() || at->second.empty() ? std::string(otherwise) : at->second.front();
}

const std::vector<std::string>& Arguments::all(std::string_view name) const {
  static const std::vector<std::string> none;
  auto at = values.find(name);
  return at == values.end() ? none : at->second;
}

int Arguments::number(std::string_view name, int otherwise) const {
  return has(name) ? std::atoi(one(name).c_str()) : otherwise;
}

Status Signature::check(std::string_view what, const Arguments& arguments) const {
  for (const std::string& name : required) {
    if (!arguments.has(name)) {
      return fail(ErrorKind::kBadInput, fmt::format("`{}` needs the argument `{}`", what, name), "",
                  arguments.where);
    }
  }
  for (const auto& [name, value] : arguments.values) {
    bool known = std::find(required.begin(), required.end(), name) != required.end() ||
                 std::find(optional.begin(), optional.end(), name) != optional.end();
    if (known) continue;
    std::vector<std::string> names = required;
    names.insert(names.end(), optional.begin(), optional.end());
    return fail(ErrorKind::kBadInput, fmt::format("`{}` has no argument `{}`", what, name),
                names.empty() ? "it takes none" : "it takes " + join(names, ", "), arguments.where);
  }
  return {};
}

std::string_view hole_name(std::string_view text) {
  while (text.starts_with('$')) text.remove_prefix(1);
  return text;
}

}  // namespace suture
