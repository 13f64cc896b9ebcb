// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/interruption.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <ctime>

namespace pws::platform {

namespace {

// What the handler may touch.
std::atomic<int> received{0};
std::atomic<int64_t> received_at{0};  // nanoseconds of the monotonic clock; 0: none has come
std::atomic<sem_t*> to_wake{nullptr};
std::atomic<pid_t> owner{0};
bool goes_on = false;  // an object that is for_now is there
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free &&
              std::atomic<sem_t*>::is_always_lock_free);

int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  constexpr int64_t second = 1'000'000'000;
  return t.tv_sec * second + t.tv_nsec;
}

void on_signal(int signal) {
  const int64_t time = now();
  int64_t first_time = 0;
  const bool first = received_at.compare_exchange_strong(first_time, time);
  if (first) received = signal;
  // One that somebody sends because the first has not helped, or one in a child that has no machine: as if nobody had
  // handled it. timeout(1) signals its child and then the child's process group, which is the same signal twice.
  if (getpid() != owner || (!first && time - first_time >= interruption::patience_ns)) {
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  sem_t* const wake = to_wake;
  if (first && wake != nullptr) sem_post(wake);
}

void hear_anew() {
  owner = getpid();
  received = 0;
  received_at = 0;
}

void take_over(int signal, struct sigaction& before, bool from_others = false) {
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == on_signal) return;  // since another one was interrupted
  const bool has_handler = (before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL;
  if (has_handler && (!from_others || before.sa_handler == SIG_IGN)) return;
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

void interruption::stop(models::gpu& gpu) {
  gpu.dispatcher.stop_when(received);
}

interruption::interruption(sem_t* wake) {
  if (!goes_on) hear_anew();
  to_wake = wake;
  take_over(SIGINT, interrupt_);
  take_over(SIGTERM, terminate_);
}

interruption::interruption(for_now how) : for_now_(true) {
  hear_anew();
  goes_on = true;
  take_over(SIGINT, interrupt_, how.over_others);
  take_over(SIGTERM, terminate_);
}

interruption::~interruption() {
  to_wake = nullptr;
  if (for_now_) goes_on = false;
  if (received != 0 && !for_now_) return;  // until the process has written what there is, and ends
  give_back(SIGINT, interrupt_);
  give_back(SIGTERM, terminate_);
}

models::building_listener interruption::while_building(uint32_t of) {
  return [of](uint32_t cus) {
    if (received == 0) return;
    throw interrupted_error(
        received, fmt::format("while the machine was being built: {} of its {} compute units were there", cus, of));
  };
}

void interruption::move_here() {
  hear_anew();
}

int interruption::signal() {
  return received;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

}  // namespace pws::platform
