#pragma once

#include <cstddef>
#include <optional>

#include "repair/report/finding.h"
#include "repair/report/log_line.h"
#include "repair/report/traceback.h"

namespace suture::report {

/// Reads a traceback as IPython and Jupyter print it: "TypeError    Traceback (most recent call
/// last)", excerpts with `----> 3` arrows, the exception at the end; chained ones as one failure.
/// Nothing when none starts at `at`.
std::optional<Found> read_notebook_traceback(Lines lines, std::size_t at, MessageEnd message_end);

}  // namespace suture::report
