#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace suture::report {

/// The dotted name that `python -m unittest` takes, from a header such as "FAIL: test_x
/// (mod.Class)" (to Python 3.10) or "ERROR: test_x (mod.Class.test_x)" (from 3.11). Nothing for
/// other lines.
std::optional<std::string> parse_unittest_header(std::string_view text);

}  // namespace suture::report
