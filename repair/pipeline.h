#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/base/clock.h"
#include "repair/base/event.h"
#include "repair/base/result.h"
#include "repair/cache/verdict_cache.h"
#include "repair/job.h"
#include "repair/propose/catalogue.h"
#include "repair/rank/logistic.h"
#include "repair/rank/rank.h"
#include "repair/reproduce/installed.h"
#include "repair/validate/executor.h"

namespace suture {

/// Keeps what a job finds out as it goes. The command line keeps nothing (NoStore); the service
/// keeps everything.
class Store {
 public:
  virtual ~Store() = default;
  /// All candidates in rank order, before any is validated.
  virtual void keep(const std::vector<Candidate>& ranked) = 0;
  virtual void keep(const Trial& trial) = 0;
  virtual void keep(const RepairResult& result) = 0;
};

class NoStore final : public Store {
 public:
  void keep(const std::vector<Candidate>&) override {}
  void keep(const Trial&) override {}
  void keep(const RepairResult&) override {}
};

/// Everything the pipeline needs from outside. References; all must outlive the call.
struct Services {
  CancelToken cancel;
  EventSink& events;
  Store& store;
  Clock& clock;
  Executor& executor;  ///< runs checks on the tree of the request
  Installed& installed;
  const Catalogue& patterns;
  const RankingWeights& weights;
  const LogisticModel& confidence;
  /// Verdicts of earlier jobs; null: nothing is remembered.
  VerdictCache* verdicts = nullptr;
  /// What `executor` runs checks in (see digest_of_surroundings). Verdicts of others do not count.
  std::string surroundings = {};
};

/// The one path: report -> reproduce -> locate -> propose -> rank -> validate -> present.
/// Never throws; whatever goes wrong is an Outcome with a reason.
RepairResult repair(const RepairRequest& request, Services& services);

}  // namespace suture
