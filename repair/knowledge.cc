#include "repair/knowledge.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "repair/base/file.h"

namespace suture {

Result<Knowledge> load_knowledge(const PatternSelection& selection) {
  std::vector<std::filesystem::path> folders{share_folder("patterns")};
  folders.insert(folders.end(), selection.folders.begin(), selection.folders.end());
  TRY(Catalogue patterns, Catalogue::load(folders));
  TRY_STATUS(patterns.select(selection.only, selection.exclude));
  TRY(RankingWeights weights,
      RankingWeights::load((share_folder("patterns") / "ranking.yaml").string()));
  TRY(ConfidenceModel confidence,
      ConfidenceModel::load((share_folder("patterns") / "confidence.yaml").string()));
  return Knowledge{std::move(patterns), std::move(weights), std::move(confidence)};
}

}  // namespace suture
