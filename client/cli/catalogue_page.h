#pragma once

#include <string>

#include "client/cli/pattern_record.h"
#include "repair/base/result.h"
#include "repair/propose/catalogue.h"

namespace suture {

/// Every pattern of a catalogue as Markdown, by family: what it is for, an example before and
/// after, how likely it is for each kind of failure, what became of its candidates.
/// patterns/CATALOGUE.md is its output for the built-in patterns; a test compares the two. Errors:
/// kInternal when a diff cannot be made.
Result<std::string> catalogue_page(const Catalogue& catalogue, const CatalogueRecord& record);

}  // namespace suture
