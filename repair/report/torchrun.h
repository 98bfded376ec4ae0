#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "repair/report/log_line.h"

namespace suture::report {

/// The lines of one process of a log, in order. A text without prefixes has one stream.
struct LogStream {
  int rank = -1;  ///< -1 when the prefix names none
  std::vector<LogLine> lines;
};

/// Sorts the lines of a log that several processes wrote into one stream a process, and takes
/// timestamps of CI services and the prefixes off: `[rank0]: `, `[default0]:`, `(Worker pid=12) `,
/// `worker-1 | `, `0: ` (srun -l), `host: ` (pdsh). Forms that ordinary text has too count only
/// where the text has both a traceback's header and a frame behind the same prefix.
std::vector<LogStream> split_streams(const std::vector<LogLine>& lines);

/// The rank that torchrun's closing summary ("Root Cause (first observed failure)") names.
std::optional<int> root_cause_rank(Lines lines);

}  // namespace suture::report
