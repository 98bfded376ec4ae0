#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/propose/arguments.h"
#include "repair/propose/context.h"

namespace suture {

/// The text that an argument stands for at a match: a hole's, or the argument itself with its holes
/// filled.
std::string text_of(const Match& match, const Arguments& arguments, std::string_view name);

/// Whether a list of words, such as an argument's, has the word.
bool contains(const std::vector<std::string>& list, std::string_view word);

}  // namespace suture
