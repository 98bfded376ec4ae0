#include "client/eval/json_lines.h"

#include <string>

#include "repair/base/file.h"
#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::size_t kMaxBytes = 256 << 20;

}  // namespace

Status each_json_line(const std::filesystem::path& path, const char* form,
                      const std::function<void(const nlohmann::json&)>& take) {
  TRY(std::string text, read_file(path, kMaxBytes));
  int number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (line.empty()) continue;
    try {
      take(nlohmann::json::parse(line));
    } catch (const nlohmann::json::exception& error) {
      return fail(ErrorKind::kBadInput, error.what(), form, SourcePos{path.string(), number, 1});
    }
  }
  return {};
}

}  // namespace suture
