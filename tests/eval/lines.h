#pragma once

#include <sys/resource.h>

#include <csignal>
#include <string>

#include "client/eval/result_line.h"

namespace suture {

/// A line with every field set.
inline ResultLine full_line(std::string id = "peft-1") {
  ResultLine line;
  line.instance_id = std::move(id);
  line.model_name_or_path = "suture 0.1.0";
  line.model_patch = "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-a = \"ä\"\n+b\n";
  line.withheld_patch = "other";
  line.outcome = "PATCHED";
  line.confidence = 0.625;
  line.pattern = "guard-none";
  line.file = "src/f.py";
  line.line = 12;
  line.seconds = 4.5;
  line.own_cpu_seconds = 0.25;
  line.check_runs = 9;
  line.check_seconds = 3.125;
  line.candidates = 40;
  line.plausible = 2;
  line.rank_first_plausible = 3;
  line.reason = "why";
  line.tiers = {{"fresh", 4}, {"split", 5}};
  line.fresh_seconds = 2.5;
  line.weakenings = {"--no-sandbox"};
  return line;
}

/// A line of which only the outcome matters.
inline ResultLine plain_line(std::string id, std::string outcome) {
  ResultLine line;
  line.instance_id = std::move(id);
  line.outcome = std::move(outcome);
  return line;
}

/// While it lives no file of this process can grow beyond `bytes`: what a full disk is like.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);  // so that write says EFBIG
    getrlimit(RLIMIT_FSIZE, &limit_);
    rlimit small{bytes, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit limit_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace suture
