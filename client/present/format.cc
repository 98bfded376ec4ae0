#include "client/present/format.h"

#include "client/present/json.h"
#include "client/present/sarif.h"

namespace suture {
namespace {

/// The proposals are alternatives, so more than the best would not apply together.
std::string render_patch(const RepairResult& result) {
  return result.proposals.empty() ? std::string() : result.proposals.front().diff;
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::kText:
      return "text";
    case Format::kJson:
      return "json";
    case Format::kPatch:
      return "patch";
    case Format::kSarif:
      return "sarif";
  }
  return "text";
}

std::optional<Format> format_from(std::string_view word) {
  for (Format format : {Format::kText, Format::kJson, Format::kPatch, Format::kSarif}) {
    if (word == to_string(format)) return format;
  }
  return std::nullopt;
}

std::string render(Format format, const RepairResult& result, const JobContext& context,
                   const TextStyle& style) {
  switch (format) {
    case Format::kText:
      return render_text(result, context, style);
    case Format::kJson:
      return render_json(result, context);
    case Format::kPatch:
      return render_patch(result);
    case Format::kSarif:
      return render_sarif(result, context);
  }
  return {};
}

}  // namespace suture
