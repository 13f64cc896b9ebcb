// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/input_wait.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "platform/machine/interruption.h"

namespace pws::platform::debug {

waited wait_for_input() {
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  pollfd input{STDIN_FILENO, POLLIN, 0};
  const bool has_come = interruption::signal() != 0;
  const bool signalled = !has_come && ppoll(&input, 1, nullptr, &before) < 0 && errno == EINTR;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (has_come || (signalled && interruption::signal() != 0)) return waited::must_end;
  return signalled ? waited::signal : waited::input;
}

}  // namespace pws::platform::debug
