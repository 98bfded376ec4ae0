#pragma once

#include <cstddef>
#include <optional>

#include "repair/report/failure.h"
#include "repair/report/log_line.h"
#include "repair/report/traceback.h"

namespace suture::report {

struct RichBlock {
  ExceptionRecord record;
  std::size_t end = 0;
};

/// Reads one traceback that the `rich` package drew at `at`: a box with "Traceback (most recent
/// call last)" in its upper edge, an excerpt of the source for each frame, the exception below the
/// box. Nothing when no such box starts there.
std::optional<RichBlock> read_rich_traceback(Lines lines, std::size_t at, MessageEnd message_end);

}  // namespace suture::report
