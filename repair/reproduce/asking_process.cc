#include "repair/reproduce/asking_process.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

namespace suture {
namespace {

/// Importing a large package takes seconds; a minute is for a slow disk.
constexpr std::chrono::seconds kPatience{60};
/// The names of a large module are one line.
constexpr std::size_t kLongestAnswer = 4u << 20;

}  // namespace

AskingProcess::AskingProcess(Executor& executor, std::string interpreter,
                             std::map<std::string, std::string> env,
                             std::vector<std::string> own_names) {
  Result<GuestPackage> package = GuestPackage::make("probe");
  if (!package) {
    over_ = true;
    return;
  }
  package_.emplace(std::move(*package));
  questions_.emplace(package_->out() / "questions");
  answers_.emplace(package_->out() / "answers", kLongestAnswer);
  process_ = std::thread([this, &executor, interpreter = std::move(interpreter),
                          env = std::move(env), own_names = std::move(own_names)]() mutable {
    run(executor, std::move(interpreter), std::move(env), own_names);
    over_ = true;
  });
}

AskingProcess::~AskingProcess() {
  stop_.cancel();
  if (process_.joinable()) process_.join();
}

void AskingProcess::run(Executor& executor, std::string interpreter,
                        std::map<std::string, std::string> env,
                        const std::vector<std::string>& own_names) {
  Check check;
  check.command = {std::move(interpreter),
                   (share_folder("probe") / "suture_probe" / "ask.py").string(),
                   package_->out().string(), nlohmann::json(own_names).dump()};
  check.env = std::move(env);
  check.timeout = std::chrono::hours(24);  // whoever asks has less patience
  RunRequest request;
  request.check = &check;
  package_->join(&request);
  request.python_path.clear();  // a program, not a part of a check
  executor.run(request, stop_);
}

std::optional<std::string> AskingProcess::ask(const std::string& question,
                                              const CancelToken& cancel) {
  if (over_ || !questions_->send(question + "\n")) return std::nullopt;
  auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!cancel.cancelled() && std::chrono::steady_clock::now() < deadline) {
    bool last_look = over_;
    std::vector<std::string> lines = answers_->lines(std::chrono::milliseconds(50));
    if (!lines.empty()) return lines.back();
    if (last_look) break;
  }
  return std::nullopt;
}

}  // namespace suture
