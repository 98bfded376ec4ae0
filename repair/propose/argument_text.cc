#include "repair/propose/argument_text.h"

#include <algorithm>

#include "repair/propose/template.h"

namespace suture {

std::string text_of(const Match& match, const Arguments& arguments, std::string_view name) {
  return fill_template(arguments.one(name), match.bindings, match.file.language());
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace suture
