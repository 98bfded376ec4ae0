#include "repair/combine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "repair/propose/propose.h"
#include "repair/propose/silencing.h"
#include "repair/validate/warm_session.h"

namespace suture {
namespace {

/// "a, then b".
std::string both(const std::string& first, const std::string& second, const char* between) {
  return first == second || second.empty() ? first : first + between + second;
}

}  // namespace

std::optional<Candidate> combine(const Candidate& first, Candidate second, SourceTree& base,
                                 SourceTree& edited) {
  if (!materialise(second, edited)) return std::nullopt;
  Candidate combined = std::move(second);
  combined.files.insert(first.files.begin(), first.files.end());
  combined.edits.clear();
  for (const auto& [path, content] : combined.files) {
    for (Splice& splice : splices_between(base.bytes(path), content)) {
      Range range{std::uint32_t(splice.begin), std::uint32_t(splice.end)};
      combined.edits[path].push_back({range, std::move(splice.text)});
    }
  }
  auto digest = normalised_digest(combined.edits, base);
  if (!digest) return std::nullopt;
  combined.id = *digest;
  combined.summary = first.summary == combined.summary ? first.summary + ", at two places"
                                                       : first.summary + "; " + combined.summary;
  combined.cause = both(first.cause, combined.cause, " ");
  combined.pattern = both(first.pattern, combined.pattern, "+");
  combined.rewrite = both(first.rewrite, combined.rewrite, "+");
  if (combined.silencing == Silencing::kNo) combined.silencing = first.silencing;
  auto prior = first.features.find("prior");
  if (prior != first.features.end()) {
    double& own = combined.features["prior"];
    own = std::min(own, prior->second);
  }
  combined.files.clear();  // as every candidate that has not been tried
  return combined;
}

}  // namespace suture
