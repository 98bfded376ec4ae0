#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "repair/base/result.h"

namespace suture {

/// What became of a pattern's candidates in an evaluation.
struct PatternRecord {
  std::size_t tried = 0;  ///< candidates that were looked at
  std::size_t green = 0;  ///< of these, the check passed twice
  std::size_t shown = 0;  ///< of these, proposed to the user
};

/// The record of a catalogue on historical bugs.
struct CatalogueRecord {
  std::size_t bugs = 0;
  std::map<std::string, PatternRecord>
      patterns;  ///< by id; patterns that were never tried are not there
};

/// Counts what `suture eval --details` wrote to a folder. A candidate of two patterns counts for
/// both. Errors: kBadInput for a file that is not a result.
Result<CatalogueRecord> count_record(const std::filesystem::path& details);

/// patterns/record.yaml, and back. No file: an empty record. Errors: kBadInput with the line.
std::string to_yaml(const CatalogueRecord& record);
Result<CatalogueRecord> load_record(const std::filesystem::path& path);

}  // namespace suture
