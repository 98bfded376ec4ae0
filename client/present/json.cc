#include "client/present/json.h"

#include <openssl/evp.h>

#include <algorithm>

#include "repair/base/digest.h"
#include "repair/base/text.h"

namespace suture {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), int(bytes.size()));
  text.resize(std::size_t(length));
  return text;
}

std::string_view word(RepairResult::Lack lack) {
  switch (lack) {
    case RepairResult::Lack::kNone:
      return "none";
    case RepairResult::Lack::kPlace:
      return "place";
    case RepairResult::Lack::kIngredient:
      return "ingredient";
    case RepairResult::Lack::kBudget:
      return "budget";
  }
  return "none";
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

template <class Items, class Each>
Json array_of(const Items& items, Each each) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(each(item));
  return array;
}

Json json_of(const Check& check) {
  return {{"command", check.command},
          {"display", check.display()},
          {"env", check.env},
          {"timeout_ms", check.timeout.count()}};
}

Json json_of(const Frame& frame) {
  return {{"file", frame.file},
          {"line", frame.line},
          {"function", frame.function},
          {"source", frame.source}};
}

Json json_of(const ExceptionRecord& record) {
  return {{"type", record.type},
          {"message", record.message},
          {"frames", array_of(record.frames, [](const Frame& frame) { return json_of(frame); })}};
}

Json json_of(const Failure& failure) {
  return {{"kind", to_string(failure.kind)},
          {"headline", failure.headline()},
          {"type", failure.type},
          {"message", failure.message},
          {"frames", array_of(failure.frames, [](const Frame& frame) { return json_of(frame); })},
          {"causes",
           array_of(failure.causes, [](const ExceptionRecord& cause) { return json_of(cause); })},
          {"test_ids", failure.test_ids},
          {"rank", failure.rank}};
}

Json json_of(Roles roles) {
  Json words = Json::array();
  for (Role role : {Role::kFailing, Role::kCaller, Role::kCallee, Role::kOrigin, Role::kDefinition,
                    Role::kExecuted, Role::kReturned, Role::kImport, Role::kModule,
                    Role::kMentioned, Role::kSwallowed}) {
    if (roles.has(role)) words.push_back(to_string(role));
  }
  return words;
}

Json json_of(const Location& location) {
  return {{"file", location.file},
          {"line", location.line},
          {"end_line", location.end_line},
          {"function", location.function},
          {"suspiciousness", location.suspiciousness},
          {"roles", json_of(location.roles)},
          {"reasons", location.reasons},
          {"frame", location.frame}};
}

Json json_of(const std::vector<Edit>& edits) {
  return array_of(edits, [](const Edit& edit) {
    return Json{{"start", edit.range.start}, {"end", edit.range.end}, {"text", edit.text}};
  });
}

/// The edited files by what they become: contents are in the diff.
Json json_of_files(const Candidate& candidate) {
  Json files = Json::object();
  for (const auto& [path, content] : candidate.files) {
    auto edits = candidate.edits.find(path);
    files[path] = {
        {"sha256", sha256(content)},
        {"edits", edits == candidate.edits.end() ? Json::array() : json_of(edits->second)}};
  }
  return files;
}

Json json_of(const Proposal& proposal) {
  const Candidate& candidate = proposal.candidate;
  Json json{{"candidate", candidate.id},
            {"pattern", candidate.pattern},
            {"rewrite", candidate.rewrite},
            {"family", candidate.family},
            {"summary", candidate.summary},
            {"cause", candidate.cause},
            {"silencing", to_string(candidate.silencing)},
            {"rank", proposal.rank},
            {"rivals", proposal.rivals},
            {"share", proposal.share},
            {"score", candidate.score},
            {"features", candidate.features},
            {"location", json_of(candidate.location)},
            {"files", json_of_files(candidate)},
            {"diff", proposal.diff},
            {"confidence", proposal.confidence},
            {"confidence_reasons", proposal.confidence_reasons},
            {"rerun", array_of(proposal.rerun,
                               [](const Rerun& run) {
                                 return Json{{"what", run.what},
                                             {"verdict", to_string(run.verdict)},
                                             {"origin", to_string(run.origin)}};
                               })},
            {"not_rerun", proposal.not_rerun}};
  if (to_valid_utf8(proposal.diff) != proposal.diff) json["diff_base64"] = base64(proposal.diff);
  return json;
}

/// How the check fails with a candidate; null where that is not known.
Json json_of(const std::optional<ExceptionRecord>& failure) {
  if (!failure) return nullptr;
  Json json = {{"type", failure->type}, {"message", failure->message}};
  if (!failure->frames.empty()) {
    json["file"] = failure->frames.back().file;
    json["line"] = failure->frames.back().line;
  }
  return json;
}

Json json_of(const Trial& trial) {
  return {{"candidate", trial.candidate},
          {"pattern", trial.pattern},
          {"rewrite", trial.rewrite},
          {"file", trial.file},
          {"line", trial.line},
          {"summary", trial.summary},
          {"score", trial.score},
          {"verdict", to_string(trial.verdict)},
          {"reason", trial.reason},
          {"tier", to_string(trial.tier)},
          {"tier_reason", trial.tier_reason},
          {"rejected_by", trial.rejected_by ? Json(to_string(*trial.rejected_by)) : Json(nullptr)},
          {"failure", json_of(trial.failure)},
          {"origin", to_string(trial.origin)},
          {"silencing", to_string(trial.silencing)}};
}

/// What each rule of static rejection saved, of the candidates that were tried.
Json json_of_rejections(const RepairResult& result) {
  Json json = Json::object();
  for (Refutation::Rule rule : Refutation::kRules) {
    std::size_t count = rejected_by(rule, result.trials);
    double tried = double(std::max<std::size_t>(result.trials.size(), 1));
    json[std::string(to_string(rule))] = {{"candidates", count}, {"share", double(count) / tried}};
  }
  return json;
}

/// Seconds of the reruns, one list a proposal, in the order of "proposals".
Json rerun_seconds(const std::vector<Proposal>& proposals) {
  return array_of(proposals, [](const Proposal& proposal) {
    return array_of(proposal.rerun, [](const Rerun& run) { return Json(run.seconds); });
  });
}

Json json_of_costs(const RepairResult& result) {
  const Costs& costs = result.costs;
  return {{"seconds", costs.seconds},
          {"search_seconds", costs.search_seconds},
          {"own_cpu_seconds", costs.own_cpu_seconds},
          {"check_seconds", costs.check_seconds},
          {"fresh_seconds", costs.fresh_seconds},
          {"check_runs", costs.check_runs},
          {"cached_runs", costs.cached_runs},
          {"tiers", result.tiers},
          {"proposal_rerun_seconds", rerun_seconds(result.proposals)},
          {"withheld_rerun_seconds", rerun_seconds(result.withheld)},
          {"trial_seconds",
           array_of(result.trials, [](const Trial& trial) { return Json(trial.seconds); })}};
}

}  // namespace

Json to_json(const RepairResult& result, const JobContext& context) {
  auto proposals = [](const std::vector<Proposal>& all) {
    return array_of(all, [](const Proposal& proposal) { return json_of(proposal); });
  };
  return {{"schema_version", kSchemaVersion},
          {"suture_version", context.version},
          {"outcome", to_string(result.outcome)},
          {"reason", result.reason},
          {"lack", word(result.lack)},
          {"advice", result.advice},
          {"base",
           {{"revision", or_null(context.revision)},
            {"work_tree", or_null(context.work_tree)},
            {"origin", or_null(context.origin)}}},
          {"check", result.check ? json_of(*result.check) : Json(nullptr)},
          {"failure", json_of(result.failure)},
          {"proposals", proposals(result.proposals)},
          {"withheld", proposals(result.withheld)},
          {"applied", context.applied},
          {"candidates", result.candidates},
          {"plausible", result.plausible},
          {"rank_first_plausible", result.rank_first_plausible},
          {"locations",
           array_of(result.locations, [](const Location& location) { return json_of(location); })},
          {"trials", array_of(result.trials, [](const Trial& trial) { return json_of(trial); })},
          {"rejections", json_of_rejections(result)},
          {"weakenings", result.weakenings},
          {"costs", json_of_costs(result)}};
}

std::string render_json(const RepairResult& result, const JobContext& context) {
  return to_json(result, context).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace suture
