#include "repair/cache/cached_executor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <vector>

#include "repair/base/digest.h"
#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/cache/field_digest.h"
#include "repair/cache/run_record.h"
#include "repair/cache/tree_state.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// Of everything that is kept of one run.
constexpr std::size_t kLargestRecord = 24 << 20;

std::vector<fs::path> writable_folders(const RunRequest& request) {
  std::vector<fs::path> folders;
  for (const Mount& mount : request.mounts) {
    if (mount.access == Mount::Access::kWrite) folders.emplace_back(mount.host);
  }
  return folders;
}

/// The request as a digest. Folders for what the run writes are private to a job: their paths say
/// nothing.
std::string subject_of(const RunRequest& request, JobMemory& memory) {
  auto anonymous = [&](std::string text) {
    for (const Mount& mount : request.mounts) {
      if (mount.access != Mount::Access::kWrite) continue;
      text = replace_all(replace_all(std::move(text), mount.host, "<out>"), mount.inside, "<out>");
    }
    return text;
  };
  FieldDigest digest;
  digest.add("run").add(memory.digest_of(*request.check));
  for (const auto& [path, content] : request.files) digest.add(path).add(sha256(content));
  digest.add("env");
  for (const auto& [name, value] : request.env) digest.add(name).add(anonymous(value));
  digest.add("path");
  for (const std::string& folder : request.python_path) digest.add(anonymous(folder));
  digest.add("mounts");
  for (const Mount& mount : request.mounts) {
    bool writable = mount.access == Mount::Access::kWrite;
    digest.add(anonymous(mount.inside)).add(writable ? "" : tree_state(mount.host).contents);
  }
  return digest.hex();
}

/// What a run left in its folders: one object a folder, of name -> content. Nothing when it left
/// more than plain files, which then are worth nothing without the rest.
std::optional<json> files_left(const std::vector<fs::path>& folders) {
  json all = json::array();
  for (const fs::path& folder : folders) {
    json files = json::object();
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (entry.symlink_status(error).type() != fs::file_type::regular) return std::nullopt;
      Result<std::string> content = read_file(entry.path(), kLargestRecord);
      if (!content) return std::nullopt;
      files[entry.path().filename().string()] = json::binary({content->begin(), content->end()});
    }
    if (error) return std::nullopt;
    all.push_back(std::move(files));
  }
  return all;
}

bool write_files(const json& all, const std::vector<fs::path>& folders) {
  if (!all.is_array() || all.size() != folders.size()) return false;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (!all[i].is_object()) return false;
    for (const auto& [name, content] : all[i].items()) {
      if (!content.is_binary() || name.find('/') != std::string::npos || name == "..") return false;
      const std::vector<std::uint8_t>& bytes = content.get_binary();
      std::ofstream out(folders[i] / name, std::ios::binary);
      out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
      if (!out.flush()) return false;
    }
  }
  return true;
}

/// The record of a run; empty when it cannot or need not be kept.
std::string record_of(const CheckRun& run, const RunRequest& request) {
  std::optional<json> files = files_left(writable_folders(request));
  if (!files) return {};
  json record = {{"verdict", to_string(run.verdict)},
                 {"code", run.code},
                 {"reason", json::binary({run.reason.begin(), run.reason.end()})},
                 {"output", json::binary({run.output.begin(), run.output.end()})},
                 {"wall", run.use.wall_seconds},
                 {"cpu", run.use.cpu_seconds},
                 {"rss", run.use.peak_rss_bytes},
                 {"limit", request.check->timeout.count()},
                 {"files", std::move(*files)}};
  std::vector<std::uint8_t> bytes = json::to_cbor(record);
  if (bytes.size() > kLargestRecord) return {};
  return {bytes.begin(), bytes.end()};
}

std::string text_at(const json& record, const char* name) {
  const std::vector<std::uint8_t>& bytes = record.at(name).get_binary();
  return {bytes.begin(), bytes.end()};
}

/// The run of a record, its files put in their places; nothing when it does not hold for the
/// request.
std::optional<CheckRun> replay(const std::string& text, const RunRequest& request) {
  json record = json::from_cbor(text, true, /*allow_exceptions=*/false);
  try {
    CheckRun run;
    std::optional<Verdict> verdict = verdict_from(record.at("verdict").get<std::string>());
    if (!verdict || !is_final(*verdict)) return std::nullopt;
    run.verdict = *verdict;
    run.code = record.at("code").get<int>();
    run.reason = text_at(record, "reason");
    run.output = text_at(record, "output");
    run.use = {record.at("wall").get<double>(), record.at("cpu").get<double>(),
               record.at("rss").get<std::uint64_t>()};
    run.origin = Origin::kCache;
    std::chrono::milliseconds had(record.at("limit").get<std::int64_t>());
    if (!holds_under(run.verdict, run.use.wall_seconds, had, request.check->timeout))
      return std::nullopt;
    if (!write_files(record.at("files"), writable_folders(request))) return std::nullopt;
    return run;
  } catch (const json::exception&) {  // of another version, or damaged
    return std::nullopt;
  }
}

}  // namespace

std::string CachedExecutor::key(const std::string& subject, int number) const {
  return memory_.key(subject + "#" + std::to_string(number));
}

CheckRun CachedExecutor::run(const RunRequest& request, const CancelToken& cancel) {
  std::string subject = subject_of(request, memory_);
  int number = 0;
  {
    std::lock_guard lock(mutex_);
    number = series_[subject].runs++;
  }
  std::string known = key(subject, number);
  if (!cancel.cancelled()) {
    if (std::optional<std::string> record = memory_.find(known)) {
      if (std::optional<CheckRun> run = replay(*record, request)) {
        compare(subject, number, *run);
        return std::move(*run);
      }
    }
  }
  CheckRun run = inner_.run(request, cancel);
  if (!is_final(run.verdict)) return run;
  std::string record = record_of(run, request);
  if (!record.empty()) memory_.keep(known, std::move(record));
  compare(subject, number, run);
  return run;
}

void CachedExecutor::compare(const std::string& subject, int number, const CheckRun& run) {
  std::lock_guard lock(mutex_);
  Series& series = series_[subject];
  if (series.verdict == Verdict::kNotRun) series.verdict = run.verdict;
  series.flaky = series.flaky || series.verdict != run.verdict;
  if (!series.flaky) return;
  for (int each = 0; each <= number || each < series.runs; ++each)
    memory_.forget(key(subject, each));
}

}  // namespace suture
