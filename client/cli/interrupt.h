#pragma once

#include "repair/base/cancel.h"

namespace suture {

/// Catches Ctrl-C (SIGINT), SIGTERM and SIGHUP while it lives: the first cancels the token, so that
/// the job stops its check runs, removes its temporary folders and ends with exit code 130; the
/// second ends the process at once (the kernel then kills the check runs, which are tied to it by
/// PR_SET_PDEATHSIG). System calls are interrupted by the signals, not restarted. One at a time.
class Interrupt {
 public:
  explicit Interrupt(const CancelToken& cancel);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  CancelToken cancel_;  ///< keeps the flag alive that the handler sets
};

}  // namespace suture
