#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// A word as one types it to a POSIX shell: quoted where it must be.
std::string shell_quoted(std::string_view word);
/// A command line as one types it.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace suture
