#include "repair/known_verdicts.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "repair/base/digest.h"
#include "repair/base/text.h"
#include "repair/cache/field_digest.h"
#include "repair/cache/run_record.h"
#include "repair/report/exception_json.h"

namespace suture {
namespace {

using nlohmann::json;

std::optional<Tier> tier_from(std::string_view word) {
  for (Tier tier : {Tier::kSplit, Tier::kPreload, Tier::kFresh}) {
    if (word == to_string(tier)) return tier;
  }
  return std::nullopt;
}

std::string subject_of(const std::vector<ConditionPlace>& conditions) {
  FieldDigest digest;
  digest.add("switched");
  for (const ConditionPlace& place : conditions)
    digest.add(place.file).add(std::to_string(place.begin)).add(std::to_string(place.end));
  return digest.hex();
}

}  // namespace

KnownVerdicts::KnownVerdicts(JobMemory& memory, const Check& check, RepairRequest::Tiers tiers)
    : memory_(memory), check_(memory.digest_of(check)), tiers_(tiers) {}

std::string KnownVerdicts::key(const FileContents& files) const {
  FieldDigest digest;
  digest.add("candidate").add(check_);
  for (const auto& [path, content] : files) digest.add(path).add(sha256(content));
  return memory_.key(digest.hex());
}

std::string KnownVerdicts::key(std::string_view what) const {
  FieldDigest digest;
  digest.add(what).add(check_).add(tiers_ == RepairRequest::Tiers::kFreshOnly ? "fresh" : "all");
  return memory_.key(digest.hex());
}

std::vector<std::string> KnownVerdicts::order() {
  std::optional<std::string> text = memory_.find(key("order"));
  return text && !text->empty() ? split(*text, '\n') : std::vector<std::string>();
}

void KnownVerdicts::keep_order(const std::vector<std::string>& ids) {
  std::set<std::string> known(looked_at_.begin(), looked_at_.end());
  for (const std::string& id : ids) {
    if (known.insert(id).second) looked_at_.push_back(id);
  }
  std::vector<std::string> all = looked_at_;
  for (std::string& id : order()) {
    if (known.insert(id).second) all.push_back(std::move(id));
  }
  memory_.keep(key("order"), join(all, "\n"));
}

std::optional<SwitchReport> KnownVerdicts::switched(const std::vector<ConditionPlace>& conditions) {
  std::optional<std::string> text = memory_.find(key(subject_of(conditions)));
  if (!text) return std::nullopt;
  json record = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  try {
    SwitchReport report;
    report.able = true;
    report.children = record.at("children").get<std::size_t>();
    report.seconds = record.at("seconds").get<double>();
    for (const json& each : record.at("conditions")) {
      SwitchedCondition condition;
      condition.kind = SwitchedCondition::Kind(each.at("kind").get<int>());
      for (const json& one : each.at("forced")) {
        auto verdict = verdict_from(one.at("verdict").get<std::string>());
        if (!verdict) return std::nullopt;
        ForcedOutcome forced;
        forced.outcome = one.at("outcome").get<bool>();
        forced.visit = one.at("visit").get<std::int64_t>();
        forced.verdict = *verdict;
        condition.forced.push_back(std::move(forced));
      }
      report.conditions.push_back(std::move(condition));
    }
    return report;
  } catch (const json::exception&) {  // of another version, or damaged
    return std::nullopt;
  }
}

void KnownVerdicts::keep_switched(const std::vector<ConditionPlace>& conditions,
                                  const SwitchReport& report) {
  json all = json::array();
  for (const SwitchedCondition& condition : report.conditions) {
    json forced = json::array();
    for (const ForcedOutcome& one : condition.forced) {
      forced.push_back(
          {{"outcome", one.outcome}, {"visit", one.visit}, {"verdict", to_string(one.verdict)}});
    }
    all.push_back({{"kind", int(condition.kind)}, {"forced", std::move(forced)}});
  }
  json record = {
      {"children", report.children}, {"seconds", report.seconds}, {"conditions", std::move(all)}};
  memory_.keep(key(subject_of(conditions)), record.dump());
}

std::int64_t KnownVerdicts::number(std::string_view what) {
  std::optional<std::string> text = memory_.find(key(what));
  std::int64_t number = 0;
  if (!text) return 0;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() ? std::max<std::int64_t>(number, 0) : 0;
}

std::size_t KnownVerdicts::one_edit() { return std::size_t(number("one edit")); }

void KnownVerdicts::keep_one_edit(std::size_t candidates) {
  memory_.keep(key("one edit"), std::to_string(candidates));
}

std::optional<std::chrono::milliseconds> KnownVerdicts::limit() {
  std::int64_t known = number("limit");
  if (known == 0) return std::nullopt;
  return std::chrono::milliseconds(known);
}

void KnownVerdicts::keep_limit(std::chrono::milliseconds limit) {
  memory_.keep(key("limit"), std::to_string(limit.count()));
}

std::optional<KnownVerdict> KnownVerdicts::find(const FileContents& files,
                                                std::chrono::milliseconds limit) {
  std::optional<std::string> text = memory_.find(key(files));
  if (!text) return std::nullopt;
  json record = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  try {
    KnownVerdict known;
    auto verdict = verdict_from(record.at("verdict").get<std::string>());
    auto tier = tier_from(record.at("tier").get<std::string>());
    if (!verdict || !tier || !is_final(*verdict)) return std::nullopt;
    if (*tier != Tier::kFresh && tiers_ == RepairRequest::Tiers::kFreshOnly) return std::nullopt;
    known.run.verdict = *verdict;
    known.tier = *tier;
    known.run.reason = record.at("reason").get<std::string>();
    known.tier_reason = record.at("tier_reason").get<std::string>();
    known.run.use.wall_seconds = record.at("wall").get<double>();
    known.run.origin = Origin::kCache;
    known.runs = record.at("runs").get<int>();
    known.seconds = record.at("seconds").get<double>();
    if (auto failure = record.find("failure"); failure != record.end())
      known.failure = exception_from(*failure);
    std::chrono::milliseconds had(record.at("limit").get<std::int64_t>());
    if (!holds_under(known.run.verdict, known.run.use.wall_seconds, had, limit))
      return std::nullopt;
    return known;
  } catch (const json::exception&) {  // of another version, or damaged
    return std::nullopt;
  }
}

void KnownVerdicts::keep(const FileContents& files, const KnownVerdict& verdict,
                         std::chrono::milliseconds limit) {
  if (!is_final(verdict.run.verdict)) return;
  json record = {{"verdict", to_string(verdict.run.verdict)},
                 {"tier", to_string(verdict.tier)},
                 {"reason", verdict.run.reason},
                 {"tier_reason", verdict.tier_reason},
                 {"wall", verdict.run.use.wall_seconds},
                 {"runs", verdict.runs},
                 {"seconds", verdict.seconds},
                 {"limit", limit.count()}};
  if (verdict.failure) record["failure"] = json_of(*verdict.failure);
  memory_.keep(key(files), record.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace suture
