#pragma once

#include <string>

#include "client/present/job_context.h"
#include "client/present/palette.h"
#include "repair/job.h"

namespace suture {

/// How a result is written for people.
struct TextStyle {
  Palette palette = Palette::none();
  Sink sink = Sink::kFile;  ///< the diff's bytes are made safe for a terminal, and kept for a file
  enum class Detail {
    kBrief,
    kExplain,  ///< adds places with their reasons, the table of trials, tiers, diffs of withheld
               ///< patches
  } detail = Detail::kBrief;
};

/// The result as a person reads it: outcome, diff, cause, confidence, what was rerun, cost, next
/// step.
std::string render_text(const RepairResult& result, const JobContext& context,
                        const TextStyle& style);

/// One line: "PATCHED: pass `timeout` on to `connect` (comm/init.py:120)".
std::string outcome_line(const RepairResult& result);

}  // namespace suture
