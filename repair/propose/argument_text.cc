#include "repair/propose/argument_text.h"

#include <algorithm>

#include "repair/base/text.h"
#include "repair/propose/template.h"

namespace suture {

std::string text_of(const Match& match, const Arguments& arguments, std::string_view name) {
  std::string text = arguments.one(name);
  // Most arguments are a word or one hole: they need no parser.
  if (text.find('$') == std::string::npos) return text;
  if (std::string_view hole = hole_name(text); is_identifier(hole)) {
    auto at = match.bindings.find(hole);
    if (at != match.bindings.end() && at->second.text.find('\n') == std::string::npos)
      return at->second.text;
  }
  return fill_template(text, match.bindings, match.file.language());
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace suture
