#include "client/cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "client/cli/exit_code.h"

namespace suture {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<std::atomic<bool>*> flag_of_handler{nullptr};
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free, "a signal handler loads it");

void on_signal(int) {
  std::atomic<bool>* flag = flag_of_handler.load();
  if (flag == nullptr || flag->exchange(true)) _exit(kExitInterrupted);
}

void handle_with(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (int signal : kSignals) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt(const CancelToken& cancel) : cancel_(cancel) {
  flag_of_handler.store(cancel_.flag());
  handle_with(on_signal);
}

Interrupt::~Interrupt() {
  handle_with(SIG_DFL);
  flag_of_handler.store(nullptr);
}

}  // namespace suture
