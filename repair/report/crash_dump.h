#pragma once

#include <cstddef>
#include <optional>

#include "repair/report/finding.h"
#include "repair/report/log_line.h"

namespace suture::report {

/// Reads what a process prints as it dies below Python's exceptions, or hangs: "Fatal Python
/// error:" and "Timeout (0:00:05)!" with the stacks of faulthandler (most recent call first, turned
/// round here), C++'s "terminate called after throwing", a shell's "Segmentation fault (core
/// dumped)", NCCL's watchdog. Nothing when the line at `at` starts none of them.
std::optional<Found> read_crash_dump(Lines lines, std::size_t at);

}  // namespace suture::report
