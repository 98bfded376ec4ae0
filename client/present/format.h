#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client/present/job_context.h"
#include "client/present/text.h"
#include "repair/job.h"

namespace suture {

/// The forms that a result can be written in.
enum class Format {
  kText,   ///< for people
  kJson,   ///< everything, one document
  kPatch,  ///< the best patch alone, for `git apply`; nothing when there is none
  kSarif,  ///< SARIF 2.1.0 with fixes
};

/// "text", "json", "patch", "sarif".
std::string_view to_string(Format format);
std::optional<Format> format_from(std::string_view word);

/// What goes to standard output.
std::string render(Format format, const RepairResult& result, const JobContext& context,
                   const TextStyle& style);

}  // namespace suture
