#pragma once

#include <string>
#include <string_view>

#include "repair/propose/binding.h"
#include "repair/syntax/source_file.h"

namespace suture {

/// Code with `$NAME` holes, as rewrites write it. Filling puts parentheses around what needs them
/// (`$A.x` with `a or b` gives `(a or b).x`) and moves blocks to the indentation of their hole.
/// A name that is not bound is an error of the pattern that its loader has refused.
std::string fill_template(std::string_view text, const Bindings& bindings, Language language);

/// The same for prose (summary, cause): no parentheses, long texts shortened to one line.
std::string fill_prose(std::string_view text, const Bindings& bindings);

}  // namespace suture
