#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace suture {

/// Something that happened in a job. The sequence of events is the job's history: progress lines,
/// logs and (in the service) the stored event log are rendered from it.
struct Event {
  std::string stage;  ///< "report", "reproduce", "locate", "propose", "rank", "validate", "present"
  std::string message;  ///< one line for people
  nlohmann::json data;  ///< the same for machines; keys are stable, never a secret
};

/// Receives events. Called from several threads at once, so implementations lock.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void emit(const Event& event) = 0;
};

/// Drops everything.
class NullSink final : public EventSink {
 public:
  void emit(const Event&) override {}
};

}  // namespace suture
