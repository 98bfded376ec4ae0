#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/candidate.h"

namespace suture {

/// A patch that passed its check in an evaluation, and that someone read.
struct ReadPatch {
  std::string group;  ///< the project
  Features evidence;  ///< see evidence_of()
  enum class Label {
    kRight,   ///< behaves as the maintainers' change does, for what the code is for
    kPartly,  ///< a part of that change
    kWrong,   ///< only pleases the check
  } label = Label::kWrong;
};

/// Reads what `suture eval --details` wrote to `folder`, for the patches that `labels` names. A
/// label is a line of JSON: {"instance_id": "x-1", "group": "owner/name", "candidate": "id",
/// "label": "right" | "partly" | "wrong"}. Patches that only silence have their confidence by rule
/// and are left out, as are those that the folder does not hold. Errors: kBadInput with file and
/// line, kInfra.
Result<std::vector<ReadPatch>> read_patches(const std::filesystem::path& folder,
                                            const std::filesystem::path& labels);

}  // namespace suture
