#include "client/eval/ranked_bugs.h"

#include <fmt/format.h>

#include <set>

#include "client/eval/json_lines.h"

namespace suture {
namespace fs = std::filesystem;
using Json = nlohmann::json;

Result<std::vector<RankedBug>> read_ranked_bugs(const fs::path& folder, const fs::path& labels) {
  std::vector<RankedBug> bugs;
  std::vector<std::set<std::string>> right;
  TRY_STATUS(each_json_line(
      labels, R"(a line is {"instance_id": "x-1", "group": "owner/name", "right": ["id"]})",
      [&](const Json& line) {
        bugs.push_back(
            {line.at("instance_id").get<std::string>(), line.at("group").get<std::string>(), {}});
        right.push_back(line.at("right").get<std::set<std::string>>());
      }));
  std::vector<RankedBug> found;
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    fs::path file = folder / (bugs[i].id + ".candidates.jsonl");
    std::error_code ec;
    if (!fs::exists(file, ec)) continue;
    TRY_STATUS(each_json_line(file, "write it with suture eval --details", [&](const Json& line) {
      RankedBug::Option option;
      option.pattern = line.at("pattern").get<std::string>();
      option.features = line.at("features").get<Features>();
      option.silencing = line.at("silencing").get<std::string>() != to_string(Silencing::kNo);
      option.right = right[i].contains(line.at("id").get<std::string>());
      bugs[i].options.push_back(std::move(option));
    }));
    found.push_back(std::move(bugs[i]));
  }
  return found;
}

}  // namespace suture
