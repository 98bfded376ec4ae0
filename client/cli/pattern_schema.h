#pragma once

#include <nlohmann/json.hpp>

namespace suture {

/// The JSON Schema of pattern files, for editors: made from the engine's own tables, so that it can
/// not be behind them. patterns/pattern.schema.json is its output; a test compares the two.
nlohmann::json pattern_schema();

/// What pattern files can name (roles, anchors, operators, predicates, providers), as Markdown.
std::string pattern_reference();

}  // namespace suture
