// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/interrupt_watch.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <thread>

#include "hip_runtime/context.h"

namespace pws::hip {

interrupt_watch::interrupt_watch(context& c) : context_(c) {
  sem_init(&wake_, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's threads
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  signals_ = std::make_unique<interruption>(&wake_);
}

void interrupt_watch::run() {
  while (sem_wait(&wake_) != 0 && errno == EINTR) {
  }
  const std::lock_guard<std::recursive_mutex> hold(context_.lock);
  end_if_interrupted();
  for (;;) pause();
}

void interrupt_watch::end_if_interrupted(const std::string& meanwhile) {
  const int signal = signals_->signal();
  if (signal == 0) return;
  say("interrupted", signal_name(signal) + (meanwhile.empty() ? "" : " " + meanwhile));
  try {
    context_.finish_files();
  } catch (const std::exception& e) {
    say("HIP runtime", e.what());
  }
  std::fflush(nullptr);
  ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  kill(getpid(), signal);
  for (;;) pause();
}

}  // namespace pws::hip
