#include "platform/gpu/interruption.h"

#include <unistd.h>

#include <atomic>
#include <cstring>

namespace pws::platform {

namespace {

// What the handler may touch.
std::atomic<int> received{0};
std::atomic<sem_t*> to_wake{nullptr};
std::atomic<pid_t> owner{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<sem_t*>::is_always_lock_free);

void on_signal(int signal) {
  // A second one, or one in a child that has no machine: as if nobody had handled it.
  if (received.exchange(signal) != 0 || getpid() != owner) {
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  if (sem_t* const wake = to_wake) sem_post(wake);
}

void take_over(int signal, struct sigaction& before) {
  sigaction(signal, nullptr, &before);
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = on_signal;
  ours.sa_flags = SA_RESTART;
  sigaction(signal, &ours, nullptr);
}

void give_back(int signal, const struct sigaction& before) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == on_signal) sigaction(signal, &before, nullptr);
}

}  // namespace

interruption::interruption(virtual_platform& gpu, sem_t* wake) : interruption(wake) {
  stop(gpu);
}

void interruption::stop(virtual_platform& gpu) {
  gpu.dispatcher.stop_when(received);
}

interruption::interruption(sem_t* wake) {
  owner = getpid();
  received = 0;
  to_wake = wake;
  take_over(SIGINT, interrupt_);
  take_over(SIGTERM, terminate_);
}

interruption::~interruption() {
  give_back(SIGINT, interrupt_);
  give_back(SIGTERM, terminate_);
  to_wake = nullptr;
}

int interruption::signal() const {
  return received;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

}  // namespace pws::platform
