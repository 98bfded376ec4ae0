#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// What SARIF documents of all kinds have in common; for this folder.
namespace suture::sarif {

using Json = nlohmann::ordered_json;

/// A whole document with one run, pretty-printed.
std::string document(Json run);

/// An artifactLocation: relative to %SRCROOT%, or a file URI for an absolute path.
Json artifact(const std::string& path);

/// "guard-none" -> "GuardNone": viewers show a rule's name in Pascal case.
std::string pascal_case(std::string_view id);

/// One sentence with its full stop, as SARIF wants messages.
std::string sentence(std::string text);

/// Characters of a line as `columnKind` counts them.
std::size_t code_points(std::string_view line);

}  // namespace suture::sarif
