#pragma once

#include <filesystem>

#include "repair/pipeline.h"

namespace suture {

/// Keeps the ranked candidates of one job as JSON lines (id, pattern, rewrite, place, score,
/// features, edits), so that another ranking can be tried on them without running a check. With an
/// empty path it keeps nothing. A file that cannot be written is given up silently: it is an extra.
class CandidateFile final : public Store {
 public:
  explicit CandidateFile(std::filesystem::path path) : path_(std::move(path)) {}
  void keep(const std::vector<Candidate>& ranked) override;
  void keep(const Trial&) override {}
  void keep(const RepairResult&) override {}

 private:
  std::filesystem::path path_;
};

}  // namespace suture
