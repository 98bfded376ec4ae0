#include "client/eval/read_patches.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "client/eval/json_lines.h"
#include "repair/base/file.h"
#include "repair/confidence.h"

namespace suture {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kMaxBytes = 64 << 20;
constexpr const char* kForm =
    R"(a line is {"instance_id": "x-1", "group": "owner/name", "candidate": "id", "label": "right"})";

struct Reading {
  std::string bug, group, candidate, label;
};

std::optional<ReadPatch::Label> label_from(const std::string& word) {
  static const std::map<std::string, ReadPatch::Label> labels{{"right", ReadPatch::Label::kRight},
                                                              {"partly", ReadPatch::Label::kPartly},
                                                              {"wrong", ReadPatch::Label::kWrong}};
  auto found = labels.find(word);
  return found == labels.end() ? std::nullopt : std::optional(found->second);
}

/// What a result says of a patch, as evidence.
Features evidence_in(const Json& proposal) {
  Candidate candidate;
  candidate.features = proposal.at("features").get<Features>();
  Standing standing;
  standing.rank = proposal.at("rank").get<int>();
  standing.rivals = proposal.value("rivals", standing.rivals);
  standing.share = proposal.value("share", standing.share);
  // The check comes first, then the other tests.
  if (proposal.at("rerun").size() > 1) standing.other_tests = Standing::OtherTests::kGreen;
  return evidence_of(candidate, standing);
}

/// The patch in a result, shown or withheld; nothing where it is not there or silences.
std::optional<Json> find_patch(const Json& result, const std::string& candidate) {
  for (const char* where : {"proposals", "withheld"}) {
    for (const Json& proposal : result.at(where)) {
      if (proposal.at("candidate").get<std::string>() != candidate) continue;
      if (proposal.at("silencing").get<std::string>() != to_string(Silencing::kNo)) return {};
      return proposal;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<ReadPatch>> read_patches(const fs::path& folder, const fs::path& labels) {
  std::vector<Reading> readings;
  TRY_STATUS(each_json_line(labels, kForm, [&](const Json& line) {
    readings.push_back(
        {line.at("instance_id").get<std::string>(), line.at("group").get<std::string>(),
         line.at("candidate").get<std::string>(), line.at("label").get<std::string>()});
  }));
  std::vector<ReadPatch> patches;
  for (Reading& reading : readings) {
    std::optional<ReadPatch::Label> label = label_from(reading.label);
    if (!label)
      return fail(ErrorKind::kBadInput, fmt::format("{}: {}?", labels.string(), reading.label),
                  kForm);
    fs::path file = folder / (reading.bug + ".json");
    std::error_code ec;
    if (!fs::exists(file, ec)) continue;
    TRY(std::string text, read_file(file, kMaxBytes));
    try {
      if (auto patch = find_patch(Json::parse(text), reading.candidate))
        patches.push_back({std::move(reading.group), evidence_in(*patch), *label});
    } catch (const Json::exception& error) {
      return fail(ErrorKind::kBadInput, error.what(), "write it with suture eval --details",
                  SourcePos{file.string(), 1, 1});
    }
  }
  return patches;
}

}  // namespace suture
