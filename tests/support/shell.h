#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace suture::testing {

/// What a shell line printed (both streams) and its exit status.
struct ShellResult {
  int status = 0;
  std::string output;
};

/// Runs `sh -c line` in a folder. For calling other programs (git, python) as oracles.
ShellResult shell(const std::filesystem::path& folder, const std::string& line);

/// Writes a file with all its folders. Aborts the test process when that fails.
void write(const std::filesystem::path& path, std::string_view content);

/// The content of a file; "" when there is none.
std::string slurp(const std::filesystem::path& path);

}  // namespace suture::testing
