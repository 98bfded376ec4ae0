#pragma once

#include <string>

#include "repair/confidence.h"

namespace suture {

/// Two Markdown tables: how many patches of each range of confidence are right, and what a
/// threshold would have shown and withheld.
std::string reliability_tables(const ConfidenceModel::HeldOut& held_out);

/// The page about confidence as Markdown: the evidence with its weights, and how well it did.
/// patterns/CONFIDENCE.md is its output for the built-in model; a test compares the two.
std::string confidence_page(const ConfidenceModel& model);

}  // namespace suture
