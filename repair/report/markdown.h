#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "repair/report/log_line.h"

namespace suture::report {

/// A fenced block of Markdown: the lines [first, last) between its fences.
struct Fence {
  std::string language;  ///< lower-case first word of the info string; empty when there is none
  std::size_t first = 0;
  std::size_t last = 0;
};

/// The fenced blocks (``` and ~~~) of a text. A fence that is never closed goes to the end. Reports
/// are rarely valid Markdown, so indented fences count too.
std::vector<Fence> find_fences(const std::vector<LogLine>& lines);

}  // namespace suture::report
