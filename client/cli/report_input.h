#pragma once

#include <string>

#include "repair/base/cancel.h"
#include "repair/base/result.h"
#include "repair/report/report.h"

namespace suture {

/// Reads the report of `--report`: a file, or standard input for "-". Errors: kNotFound, kBadInput
/// (empty, binary, too large: reading stops at kMaxReportBytes), kCancelled for Ctrl-C while
/// waiting for standard input.
Result<Report> read_report_input(const std::string& name, const CancelToken& cancel);

}  // namespace suture
